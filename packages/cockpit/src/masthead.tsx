import type { Session } from "./api/session.ts";
import { type Page, pages } from "./pages.ts";

/** The top of every page: its title, the way to the others, and who is looking. */
export function Masthead(given: {
  page: Page | undefined;
  session: Session | undefined;
  said: string;
  again(): void;
  leave(): void;
}) {
  const { page, session, said, again, leave } = given;
  const offered = pages.filter(({ needs }) => needs === undefined || session?.operations[needs]?.get);
  return (
    <header>
      <h1>Writ</h1>
      {session && (
        <nav aria-label="Pages">
          {offered.map(({ path, title }) => (
            <a key={path} href={path} aria-current={page?.path === path ? "page" : undefined}>
              {title}
            </a>
          ))}
        </nav>
      )}
      <p id="state" role="status">
        {said}
      </p>
      {session && (
        <button type="button" id="refresh" onClick={again}>
          Refresh
        </button>
      )}
      {session?.ends && (
        <button type="button" id="logout" onClick={leave}>
          Log out
        </button>
      )}
    </header>
  );
}
