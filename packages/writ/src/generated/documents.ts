// Generated from the declarations; do not edit.
export const documents = JSON.parse("{}") as Record<string, Record<string, unknown>>;
