import { Commands } from "./commands.tsx";

/** Says honestly how things stand, and which commands would change that or show more. */
export function Advice({ said, commands }: { said: string; commands: readonly string[] }) {
  return (
    <>
      <p>{said}</p>
      <Commands lines={commands} />
    </>
  );
}
