import { subjectPath } from './sending/address.js';
import type { Connection, WriteOptions } from './sending/connection.js';
import { writeBySecretKey } from './secret-key.js';
import type { AddIdentifier, CreateSubject, MergeResult, MergeSubjects, Subject } from './types.js';

/*
 * All of these need a secret key.
 */

/** Creates the subject that the identifiers name, or returns the one that they name already. */
export const createSubject = (
  connection: Connection,
  params: CreateSubject,
  options?: WriteOptions,
): Promise<Subject> => writeBySecretKey(connection, '/v1/subjects', params, options);

/** Gives a subject another identifier. An anonymous visitor becomes part of the person that way. */
export const addIdentifier = (
  connection: Connection,
  subject: string,
  params: AddIdentifier,
  options?: WriteOptions,
): Promise<Subject> => writeBySecretKey(connection, subjectPath(subject, '/identifiers'), params, options);

/** Makes several subjects one. `conflicts` names their differences. */
export const mergeSubjects = (
  connection: Connection,
  params: MergeSubjects,
  options?: WriteOptions,
): Promise<MergeResult> => writeBySecretKey(connection, '/v1/subjects/merge', params, options);
