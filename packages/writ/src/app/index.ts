export { answerParent } from "./answer-parent.ts";
export { type App, createApp, type Machine, type Options } from "./create-app.ts";
export { createHost } from "./host.ts";
export { thisMachine } from "./machine.ts";
