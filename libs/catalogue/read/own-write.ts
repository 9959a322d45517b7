/** How long a read that names the position of a write waits for this instance to know it. */
export const OWN_WRITE_WAIT_MS = 1_500;
