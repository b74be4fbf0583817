import type { ComponentType } from "react";
import type { Path } from "./api/read.ts";
import type { Operations } from "./api/session.ts";
import { Home } from "./home/home.tsx";
import { Reasoning } from "./reasoning/reasoning.tsx";

/** What a page is given: what the server offers, and how often the reader asked to look again. */
export interface PageProps {
  operations: Operations;
  round: number;
  /** Tells the reader what stands in the way, in the line below the title. */
  say(text: string): void;
}

export interface Page {
  path: string;
  title: string;
  /** The reading it is about; a server that does not offer it has no such page. */
  needs?: Path;
  view: ComponentType<PageProps>;
}

export const pages: readonly Page[] = [
  { path: "/", title: "Workspace", view: Home },
  { path: "/reasoning", title: "Reasoning", needs: "/v1/reasoning/status", view: Reasoning },
];

/** The page at an address; undefined where there is none. */
export function pageAt(path: string): Page | undefined {
  return pages.find((one) => one.path === path);
}
