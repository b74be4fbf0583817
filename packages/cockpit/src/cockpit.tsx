import { useEffect, useState } from "react";
import { endSession, openSession, type Session } from "./api/session.ts";
import { unanswered } from "./api/unanswered.ts";
import { Masthead } from "./masthead.tsx";
import type { Page } from "./pages.ts";

const loggedOut =
  "You are not logged in. Open the link that the server printed when it started. For a new one, stop writ up and start it again.";

/** The whole: a session, the line that tells of it, and the page that was asked for. */
export function Cockpit({ page }: { page: Page | undefined }) {
  const [session, setSession] = useState<Session>();
  const [said, say] = useState("Loading…");
  const [round, setRound] = useState(0);
  const fail = (error: unknown): void => say(unanswered(error));

  useEffect(() => {
    openSession().then((opened) => {
      setSession(opened);
      say(opened ? `Logged in as ${opened.role}` : loggedOut);
    }, fail);
  }, []);

  const again = (): void => {
    if (session) say(`Logged in as ${session.role}`);
    setRound(round + 1);
  };
  const leave = (): void => {
    endSession().then(() => location.reload(), fail);
  };
  return (
    <>
      <Masthead page={page} session={session} said={said} again={again} leave={leave} />
      {session && <Body page={page} session={session} round={round} say={say} />}
    </>
  );
}

function Body(given: { page: Page | undefined; session: Session; round: number; say(text: string): void }) {
  const { page, session, round, say } = given;
  if (!page)
    return (
      <main>
        <h2>There is no page here.</h2>
        <p>
          <a href="/">To the workspace</a>
        </p>
      </main>
    );
  return <page.view operations={session.operations} round={round} say={say} />;
}
