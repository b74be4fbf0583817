export { type Admission, admit, tokenRequired } from "./admit.ts";
export { createLocator, declarationName, locate } from "./locate.ts";
export { allow, isAtLeast, roles } from "./roles.ts";
export { openInput } from "./open-input.ts";
export { createSession, type Stores } from "./session.ts";
export { writeTrace } from "./trace.ts";
