import { refusal, type Refusal } from '../../kernel/index.js';

export const listsContended = (): Refusal =>
  refusal('state_conflict', 'Others are changing the vendor lists at the same time.', 'Try again.');

export const listNotFound = (version: number): Refusal =>
  refusal(
    'vendor_list_not_found',
    `Version ${version} of the vendor list was never in use here.`,
    'Leave version out for the list in use; a string names the version that it was made with.',
    [{ path: 'version', message: 'names no list that was in use here' }],
  );
