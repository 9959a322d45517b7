import {
  AddIdentifierDto,
  CreateSubjectDto,
  EraseSubjectDto,
  LiftRestrictionDto,
  MergeSubjectsDto,
  RestrictSubjectDto,
  RevertMergeDto,
} from '../subjects/dto.js';
import { IssueKeyDto, RegisterSiteDto, RevokeKeyDto, RotateKeyDto } from '../access/admin/dto.js';
import type { AccessRules } from '../access/guard.js';
import { ApplyCatalogueDto } from '../catalogue/dto.js';
import { RecordBatchDto, RecordConsentDto } from '../consent/write/dto.js';
import {
  ConfirmDto,
  RequestConfirmationDto,
  UnsubscribeDto,
  UnsubscribeLinkRequestDto,
} from '../preferences/write/confirmation.dto.js';
import { SetPreferencesDto } from '../preferences/write/dto.js';

/** IMPORT and MIGRATION: the caller asserts the record rather than the subject, which a public key may not. */
const asserts = (record: Pick<RecordConsentDto, 'source'>): boolean =>
  record.source === 'IMPORT' || record.source === 'MIGRATION';

const MOST_RECORDS = 500;
const tooManyRecords = (input: unknown): string | null =>
  ((input as RecordBatchDto | null)?.records?.length ?? 0) > MOST_RECORDS
    ? `Send at most ${MOST_RECORDS} records in one batch, and the others in further ones.`
    : null;

/** What the body of each operation must be. */
export const INPUT_CONTRACTS: AccessRules['contracts'] = {
  recordConsent: { contract: RecordConsentDto, privileged: asserts },
  recordConsentBatch: {
    contract: RecordBatchDto,
    privileged: (batch: RecordBatchDto) => batch.records.some(asserts),
    oversized: tooManyRecords,
  },
  requestConfirmation: { contract: RequestConfirmationDto },
  confirmPreferences: { contract: ConfirmDto },
  unsubscribe: { contract: UnsubscribeDto },
  makeUnsubscribeLink: { contract: UnsubscribeLinkRequestDto },
  setPreferences: { contract: SetPreferencesDto, privileged: asserts },
  createSubject: { contract: CreateSubjectDto },
  mergeSubjects: { contract: MergeSubjectsDto },
  revertMerge: { contract: RevertMergeDto },
  addIdentifier: { contract: AddIdentifierDto },
  restrictSubject: { contract: RestrictSubjectDto },
  liftRestriction: { contract: LiftRestrictionDto },
  eraseSubject: { contract: EraseSubjectDto },
  applyCatalogue: { contract: ApplyCatalogueDto },
  registerSite: { contract: RegisterSiteDto },
  issueKey: { contract: IssueKeyDto },
  rotateKey: { contract: RotateKeyDto },
  revokeKey: { contract: RevokeKeyDto },
};
