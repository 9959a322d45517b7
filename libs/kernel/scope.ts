/** `test` and `live` never see each other's subjects, keys, tokens or ids. */
export const ENVIRONMENTS = ['test', 'live'] as const;
export type Environment = (typeof ENVIRONMENTS)[number];

/** Whose data is meant: one site in one environment. Part of every key, row and stream name. */
export interface Scope {
  /** Slug of the site: `[a-z][a-z0-9-]{0,39}`. */
  site: string;
  env: Environment;
}

export const SITE_PATTERN = /^[a-z][a-z0-9-]{0,39}$/;

/** The streams of a scope. None holds anything personal: subject ids are random. */
export const subjectStream = (scope: Scope, subjectId: string): string =>
  `subject-${scope.site}.${scope.env}.${subjectId}`;
export const catalogueStream = (scope: Scope): string => `catalogue-${scope.site}.${scope.env}`;
export const siteStream = (site: string): string => `site-${site}`;

/** The last answer. Events of one stream follow each other, and every read model asks about each. */
let last: { stream: string; subject: Readonly<Scope & { subjectId: string }> | null } = { stream: '', subject: null };

/** Takes a subject's stream name apart again; null for any other stream. */
export function subjectOfStream(stream: string): Readonly<Scope & { subjectId: string }> | null {
  if (stream === last.stream) return last.subject;
  const parts = /^subject-([a-z0-9-]+)\.(test|live)\.(sub_[0-9A-Z]{26})$/.exec(stream);
  const subject = parts && { site: parts[1]!, env: parts[2] as Environment, subjectId: parts[3]! };
  last = { stream, subject };
  return subject;
}

/**
 * What an operator may be, for a site and environment. A role is the list of the operations that name it in their
 * declaration (`roles`); no other list of it exists.
 */
export const ROLES = ['VIEWER', 'SUPPORT', 'EDITOR', 'PRIVACY', 'DEVELOPER', 'AUDITOR', 'ADMIN'] as const;
export type Role = (typeof ROLES)[number];

/** A role that an operator has, and where: `*` stands for every site, or for both environments. */
export interface OperatorRole {
  role: Role;
  site: string;
  env: Environment | '*';
}
