// Generated from the declarations; do not edit.
export const version = "0.1.0";
