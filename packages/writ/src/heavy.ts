import { answerParent, createApp, thisMachine } from "./app/index.ts";

answerParent(createApp(thisMachine(), { traces: false }), process);
