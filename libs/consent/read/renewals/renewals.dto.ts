import { COUNTRY } from '../../../http/country.js';
import { ListOf, Nested, OneOf, Text, Timestamp, Whole, Flag } from '../../../http/contract/fields.js';
import { ListQuery } from '../../../http/list.js';
import { ReaderSubjectDto } from '../../../subjects/dto.js';
import { CONSENT_STATES } from '../../events.js';
import { RENEWAL_REASONS } from '../../view.js';

export class RenewalsQuery extends ListQuery {
  @Text({
    description:
      'Only subjects who were last known to be there, ISO 3166-1: by their newest record that names a place, else by their own country.',
    example: 'DE',
    ...COUNTRY,
    optional: true,
  })
  country?: string;
}

export class SubjectRenewalDto {
  @Nested(() => ReaderSubjectDto, { description: 'Whom to ask.' }) subject!: { id: string };
  @OneOf(RENEWAL_REASONS, { description: 'Why.', example: 'PURPOSE_VERSION_CHANGED' }) reason!: string;
  @OneOf(CONSENT_STATES, { description: 'What was said.', example: 'GRANTED' }) state!: string;
  @Whole({ description: 'Version that was decided on.', example: 1 }) purposeVersion!: number;
  @Timestamp({ description: 'When it was decided.' }) givenAt!: string;
  @Timestamp({ description: 'When it ends.', nullable: true, example: null }) expiresAt!: string | null;
  @Text({
    description: 'Where the subject was last known to be, ISO 3166-1.',
    example: 'DE',
    ...COUNTRY,
    nullable: true,
  })
  country!: string | null;
  @Text({ description: 'Region, ISO 3166-2.', example: null, maxLength: 6, nullable: true }) region!: string | null;
}

export class RenewalListDto {
  @ListOf(() => SubjectRenewalDto, { description: 'In the order of the ids of the subjects.', maxItems: 200 })
  data!: SubjectRenewalDto[];
  @Text({ description: 'Cursor of the next page.', example: null, maxLength: 1000, nullable: true })
  nextCursor!: string | null;
  @Flag({ description: 'Whether there is a next page, which can be empty.', example: false }) hasMore!: boolean;
}
