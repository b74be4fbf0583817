import { fail } from "../../contract/index.ts";

/** The error of a call that needs the folder it was made in, which has been removed. */
export function folderGone() {
  return fail("STORE_ERROR", {
    message: "The folder this was called in is no more.",
    cause: "It was removed, or replaced by another of its name, while the shell stood in it.",
    remediation: 'Go to a folder that exists, and run the command again there: cd "$HOME"',
  });
}
