import { useEffect, useState } from "react";
import { unanswered } from "./api/unanswered.ts";

/**
 * What a page has read. It is read anew when `asked` changes; until the new answers are there the old ones stay,
 * and `busy` says so.
 */
export function useReadings<T>(
  load: () => Promise<T>,
  { asked, say }: { asked: string; say(text: string): void },
): { read: T | undefined; busy: boolean } {
  const [kept, keep] = useState<{ asked: string; read: T | undefined }>();
  useEffect(() => {
    let wanted = true;
    load().then(
      (read) => wanted && keep({ asked, read }),
      (error: unknown) => {
        if (!wanted) return;
        say(unanswered(error));
        keep((before) => ({ asked, read: before?.read }));
      },
    );
    return () => {
      wanted = false;
    };
  }, [asked]);
  return { read: kept?.read, busy: kept?.asked !== asked };
}
