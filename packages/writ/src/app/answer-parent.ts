import type { App } from "./create-app.ts";
import type { Interrupted } from "../contract/index.ts";
import type { FromChild, ToChild } from "./offload.ts";

/** The far side of `offload`: answers the one call that the parent process sends. */
export function answerParent(app: App, parent: NodeJS.Process): void {
  const controller = new AbortController();
  const send = (message: FromChild): void => void parent.send?.(message);
  parent.on("message", (message: ToChild) => {
    if (message.kind === "cancel") return controller.abort();
    void app
      .execute({
        ...message.call,
        // As if it were typed here: this process is where a heavy call may run.
        surface: "cli",
        signal: controller.signal,
        emit: (event) => send({ kind: "event", event: event as Record<string, unknown> }),
      })
      .then((answer) => send({ kind: "answer", answer }))
      .finally(() => void app.close());
  });
  // A parent that died wants no answer any more.
  parent.on("disconnect", () => controller.abort({ exitCode: 143 } satisfies Interrupted));
}
