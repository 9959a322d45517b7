/** How long both secrets sign after a rotation, in hours. */
export const SECRET_OVERLAP_H = 24;
export const SECRET_OVERLAP_MS = SECRET_OVERLAP_H * 3_600_000;
