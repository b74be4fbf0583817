/**
 * A named moment of a run. The published program passes the one that does nothing; tests pass one that
 * kills the process, to show that no moment is unsafe.
 */
export type FaultPoint = (name: string) => void | Promise<void>;

export const noFault: FaultPoint = () => {};
