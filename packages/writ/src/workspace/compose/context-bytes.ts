/** The largest context file that is read. */
export const maxContextBytes = 2 * 1024 * 1024;
