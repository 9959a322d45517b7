/** The use of a subject's key that archives are sealed with. */
export const ARCHIVE_KEY = 'archive';
/** What a piece is sealed for: it opens nowhere else. */
export const aboutChunk = (archive: string, n: number): string => `${archive}/${n}`;
