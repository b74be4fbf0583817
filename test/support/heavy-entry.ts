import { answerParent, createApp, thisMachine } from "../../packages/writ/src/app/index.ts";
import { heavyCommands } from "./heavy-commands.ts";

// The program that runs heavy calls in a process of its own, as heavy.ts is for Writ's own capabilities.
answerParent(createApp(thisMachine(), { commands: heavyCommands() }), process);
