import type { components, operations } from './generated/api.js';

type Schemas = components['schemas'];
type Query<Operation extends keyof operations> = NonNullable<operations[Operation]['parameters']['query']>;
/** `T` with these members in place of those of the same name. */
type With<T, Members> = Omit<T, keyof Members> & Members;

/**
 * The names of your catalogue, for the compiler. `assent catalogue types` writes a file that fills it in:
 * `declare module '@assent/client' { interface CatalogueNames { purpose: 'analytics' | 'marketing' } }`.
 */
export interface CatalogueNames {}

/** Names in a catalogue: keys of purposes, of fields of the preference template, of channels, and of topics. */
export interface Names {
  purpose?: string;
  field?: string;
  channel?: string;
  topic?: string;
}
type NameOf<N, Kind extends keyof Names> = N extends Readonly<Record<Kind, infer T extends string>> ? T : string;
export type PurposeKey<N = CatalogueNames> = NameOf<N, 'purpose'>;
export type FieldKey<N = CatalogueNames> = NameOf<N, 'field'>;
export type ChannelKey<N = CatalogueNames> = NameOf<N, 'channel'>;
export type TopicKey<N = CatalogueNames> = NameOf<N, 'topic'>;

export type RecordConsent<N = CatalogueNames> = With<Schemas['RecordConsent'], { readonly purpose: PurposeKey<N> }>;
export type BatchItem<N = CatalogueNames> = With<Schemas['BatchItem'], { readonly purpose: PurposeKey<N> }>;
export type ConsentRecord<N = CatalogueNames> = With<Schemas['ConsentRecord'], { readonly purpose: PurposeKey<N> }>;
export type BatchResult = Schemas['BatchResult'];
export type PurposeState = Schemas['PurposeState'];
/** A purpose that is not published, or was not asked for, is missing. */
export type ConsentState<N = CatalogueNames> = With<
  Schemas['ConsentState'],
  { readonly purposes: { readonly [Key in PurposeKey<N>]?: PurposeState } }
>;
export type ConsentHistory = Schemas['ConsentHistory'];

/** A field of the template, a topic of the named channel, or the full path of a topic. */
type PreferenceName<N> = FieldKey<N> | TopicKey<N> | `channels.${ChannelKey<N>}.topics.${TopicKey<N>}`;
type PreferenceValue<N> = With<Schemas['PreferenceValue'], { readonly field: PreferenceName<N> }>;
export type RecordPreferences<N = CatalogueNames> = With<
  Schemas['SetPreferences'],
  { readonly channel?: ChannelKey<N>; readonly values?: readonly PreferenceValue<N>[] }
>;
export type PreferenceRecord = Schemas['PreferenceRecord'];
export type Preferences<N = CatalogueNames> = With<
  Schemas['Preferences'],
  {
    readonly channels: {
      readonly [Key in ChannelKey<N>]?: With<
        Schemas['ChannelPreferences'],
        { readonly topics: { readonly [Topic in TopicKey<N>]?: Schemas['TopicPreference'] } }
      >;
    };
    readonly fields: { readonly [Key in FieldKey<N>]?: Schemas['TypedField'] };
  }
>;
export type PreferenceHistory = Schemas['PreferenceHistory'];
export type ConfirmationRequest<N = CatalogueNames> = With<
  Schemas['RequestConfirmation'],
  { readonly channel?: ChannelKey<N>; readonly values: readonly ConfirmedValue<N>[] }
>;
type ConfirmedValue<N> = With<Schemas['WantedTopic'], { readonly field: PreferenceName<N> }>;
export type ConfirmationToken = Schemas['ConfirmationToken'];

export type Purpose = Schemas['Purpose'];
export type PurposeList = Schemas['PurposeList'];
export type PreferenceTemplate = Schemas['PreferenceTemplate'];
export type Policy = Schemas['Policy'];
export type Banner = Schemas['Banner'];
/** Every banner of a site, by place and language. */
export type BannerManifest = Schemas['BannerManifest'];
export type WebhookCatalogue = Schemas['WebhookCatalogue'];

export type CreateSubject = Schemas['CreateSubject'];
export type AddIdentifier = Schemas['AddIdentifier'];
export type MergeSubjects = Schemas['MergeSubjects'];
export type Subject = Schemas['Subject'];
export type MergeResult = Schemas['MergeResult'];

export type PortalTokenRequest = Omit<Schemas['IssuePortalToken'], 'subject'>;
export type PortalToken = Schemas['PortalToken'];
export type CreateDataRequest = Schemas['OpenDataRequest'];
export type DataRequest = Schemas['DataRequest'];

export type TcString = Schemas['TcString'];
export type GppString = Schemas['GppString'];
export type ConsentMode = Schemas['GoogleConsentMode'];

export type Receipt = Schemas['Receipt'];

export type ConsentStateQuery = Query<'getConsentState'>;
export type ConsentHistoryQuery = Query<'getConsentHistory'>;
export type PreferenceHistoryQuery = Query<'getPreferenceHistory'>;
export type PreferencesQuery = Query<'getPreferences'>;
export type PurposesQuery = Query<'listPurposes'>;
export type PolicyQuery = Query<'getPolicy'>;
export type BannerQuery = Query<'getBanner'>;
export type ReceiptQuery = Query<'getReceipt'>;
