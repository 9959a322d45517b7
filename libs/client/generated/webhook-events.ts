// Written by `npm run client:types` from what the service serves. Not to be edited.

export interface components {
    schemas: {
        readonly AddedIdentifierDto: {
            /**
             * Format: date-time
             * @description When it was added.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly addedAt: string;
            /**
             * @description Id of the identifier.
             * @example idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description Kind.
             * @example email
             */
            readonly kind: string;
            /**
             * @description What this is.
             * @example identifier
             * @enum {string}
             */
            readonly object: "identifier";
            /**
             * @description The first of its kind.
             * @example true
             */
            readonly primary: boolean;
            /**
             * @description Where it came from.
             * @example API
             * @enum {string}
             */
            readonly source: "API" | "IMPORT" | "MIGRATION";
            /**
             * @description How it is known.
             * @example DOUBLE_OPT_IN
             * @enum {string|null}
             */
            readonly verificationMethod: "DOUBLE_OPT_IN" | "IDENTITY_TOKEN" | "OPERATOR" | "IMPORT" | null;
            /**
             * @description Whether it is known to be the subject’s own.
             * @example true
             */
            readonly verified: boolean;
            /**
             * Format: date-time
             * @description Since when that is known.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly verifiedAt: string | null;
        };
        readonly AnnouncedConsentDto: {
            /**
             * @description False where a newer decision already stood.
             * @example true
             */
            readonly appliedToState: boolean;
            /**
             * @description The decision.
             * @example GRANTED
             * @enum {string}
             */
            readonly decision: "GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED";
            /**
             * Format: date-time
             * @description When the grant ends; null for no end.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly givenAt: string;
            /**
             * @description Id of the record.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example consent_record
             * @enum {string}
             */
            readonly object: "consent_record";
            /**
             * @description Key of the purpose.
             * @example analytics
             */
            readonly purpose: string;
            /**
             * @description Version of the purpose.
             * @example 1
             */
            readonly purposeVersion: number;
            /**
             * @description Id of the receipt.
             * @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly receiptId: string;
            /**
             * Format: date-time
             * @description When the service recorded it.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly recordedAt: string;
            /**
             * @description Place in the subject’s history, counted from 0.
             * @example 2
             */
            readonly sequence: number;
            /**
             * @description Who asserts the record.
             * @example API
             * @enum {string}
             */
            readonly source: "API" | "IMPORT" | "MIGRATION";
            /**
             * @description State of the purpose after this record.
             * @example GRANTED
             * @enum {string}
             */
            readonly state: "GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED";
            /**
             * @description The record that stands instead.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly supersededBy: string | null;
        };
        readonly AnnouncedDataRequestDto: {
            /**
             * Format: date-time
             * @description When it has to be answered; null while its clock stands still, and where the law sets no period.
             * @example 2026-12-21T23:00:00.000Z
             */
            readonly dueAt: string | null;
            /**
             * @description Id of the request.
             * @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example data_request
             * @enum {string}
             */
            readonly object: "data_request";
            /**
             * Format: date-time
             * @description When it came.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly receivedAt: string;
            /**
             * @description How far it is.
             * @example RECEIVED
             * @enum {string}
             */
            readonly state: "RECEIVED" | "AWAITING_VERIFICATION" | "VERIFIED" | "IN_PROGRESS" | "ON_HOLD" | "COMPLETED" | "PARTIALLY_COMPLETED" | "REJECTED" | "CANCELED" | "EXPIRED" | "DUPLICATE";
            /**
             * @description What is requested.
             * @example ACCESS
             * @enum {string}
             */
            readonly type: "ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS" | "OPT_OUT_PROFILING" | "LIMIT_SENSITIVE" | "KNOW_CATEGORIES" | "APPEAL" | "COMPLAINT";
        };
        readonly AnnouncedErasureDto: {
            /**
             * Format: date-time
             * @description When it was erased.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly erasedAt: string;
            /** @description All that were erased with it, since they were one. Each has an event of its own too. */
            readonly erasedTogether: readonly string[];
            /**
             * @description What this is.
             * @example erasure
             * @enum {string}
             */
            readonly object: "erasure";
            /**
             * @description Why.
             * @example DATA_SUBJECT_REQUEST
             * @enum {string}
             */
            readonly reason: "DATA_SUBJECT_REQUEST" | "CONSENT_WITHDRAWN" | "NO_LONGER_NECESSARY" | "UNLAWFUL_PROCESSING" | "LEGAL_OBLIGATION" | "OTHER";
            /**
             * @description Id of the receipt of the erasure.
             * @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly receiptId: string;
            /**
             * @description The subject that was asked about.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly root: string;
        };
        readonly AnnouncedFieldDto: {
            /**
             * @description Topic as `channels.<channel>.topics.<topic>`, or key of a field.
             * @example channels.email.topics.news
             */
            readonly field: string;
            /**
             * @description Its state since; null where that is not known.
             * @example GRANTED
             * @enum {string|null}
             */
            readonly state: "GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "SET" | null;
        };
        readonly AnnouncedMergeDto: {
            /**
             * @description Whose decision stood where they differed.
             * @example MOST_RESTRICTIVE
             * @enum {string}
             */
            readonly conflictPolicy: "MOST_RESTRICTIVE" | "MOST_RECENT" | "TARGET_WINS";
            /**
             * @description Id of the merge.
             * @example mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /** @description The subjects that are part of it since: the one that was named, and whom it had absorbed. */
            readonly merged: readonly string[];
            /**
             * Format: date-time
             * @description When they became one.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly mergedAt: string;
            /**
             * @description What this is.
             * @example merge
             * @enum {string}
             */
            readonly object: "merge";
            /**
             * @description The subject that all of them are now.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly target: string;
        };
        readonly AnnouncedPreferencesDto: {
            /** @description The fields that changed or wait. */
            readonly fields: readonly components["schemas"]["AnnouncedFieldDto"][];
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly givenAt: string;
            /**
             * @description Whether everything is opted out of; null: the record does not say.
             * @example false
             */
            readonly globalOptOut: boolean | null;
            /**
             * @description Id of the record.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example preference_record
             * @enum {string}
             */
            readonly object: "preference_record";
            /**
             * @description Id of the receipt.
             * @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly receiptId: string;
            /**
             * Format: date-time
             * @description When the service recorded it.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly recordedAt: string;
            /**
             * @description Place in the subject’s history, counted from 0.
             * @example 2
             */
            readonly sequence: number;
            /**
             * @description Who asserts the record.
             * @example API
             * @enum {string}
             */
            readonly source: "API" | "IMPORT" | "MIGRATION";
        };
        readonly "api_key.revoked": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["RevokedApiKeyDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "api_key.revoked";
        };
        readonly "api_key.rotated": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["ReplacedApiKeyDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "api_key.rotated";
        };
        readonly "banner.published": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["PublishedDocumentDto"];
                readonly previous: components["schemas"]["PreviousVersionDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "banner.published";
        };
        readonly ConfirmedPreferencesDto: {
            /**
             * Format: date-time
             * @description When it was confirmed.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly confirmedAt: string;
            /** @description The topics. */
            readonly fields: readonly components["schemas"]["AnnouncedFieldDto"][];
            /**
             * @description Id of the record.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example preference_confirmation
             * @enum {string}
             */
            readonly object: "preference_confirmation";
            /**
             * @description Id of the receipt.
             * @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly receiptId: string;
            /**
             * @description Id of the request that was answered.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly requestId: string;
            /**
             * @description Confirmed on the page of the link, or by a program.
             * @example PAGE
             * @enum {string}
             */
            readonly via: "PAGE" | "API";
        };
        readonly "consent.denied": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedConsentDto"];
                readonly previous: components["schemas"]["PreviousConsentDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "consent.denied";
        };
        readonly "consent.expired": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["ExpiredConsentDto"];
                readonly previous: components["schemas"]["PreviousConsentDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "consent.expired";
        };
        readonly "consent.granted": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedConsentDto"];
                readonly previous: components["schemas"]["PreviousConsentDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "consent.granted";
        };
        readonly "consent.recorded": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedConsentDto"];
                readonly previous: components["schemas"]["PreviousConsentDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "consent.recorded";
        };
        readonly "consent.renewal_required": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["RequiredRenewalDto"];
                readonly previous: components["schemas"]["PreviousVersionDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "consent.renewal_required";
        };
        readonly "consent.withdrawn": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedConsentDto"];
                readonly previous: components["schemas"]["PreviousConsentDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "consent.withdrawn";
        };
        readonly CreatedSubjectDto: {
            /**
             * Format: date-time
             * @description When it was created.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly createdAt: string;
            /**
             * @description Id of the subject.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example subject
             * @enum {string}
             */
            readonly object: "subject";
        };
        readonly "data_request.completed": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedDataRequestDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "data_request.completed";
        };
        readonly "data_request.due_soon": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedDataRequestDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "data_request.due_soon";
        };
        readonly "data_request.extended": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedDataRequestDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "data_request.extended";
        };
        readonly "data_request.overdue": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedDataRequestDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "data_request.overdue";
        };
        readonly "data_request.received": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedDataRequestDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "data_request.received";
        };
        readonly "data_request.rejected": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedDataRequestDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "data_request.rejected";
        };
        readonly "data_request.verified": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedDataRequestDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "data_request.verified";
        };
        readonly DisabledEndpointDto: {
            /**
             * Format: date-time
             * @description Since when nothing is sent to it.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly disabledAt: string;
            /**
             * @description Id of the endpoint.
             * @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example webhook_endpoint
             * @enum {string}
             */
            readonly object: "webhook_endpoint";
            /**
             * @description GONE: it answered 410. FAILING: nothing but failures for five days.
             * @example FAILING
             * @enum {string}
             */
            readonly reason: "GONE" | "FAILING";
        };
        readonly ExpiredConfirmationDto: {
            /**
             * Format: date-time
             * @description When the link ran out.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly expiredAt: string;
            /** @description The topics, with what is left of each. */
            readonly fields: readonly components["schemas"]["AnnouncedFieldDto"][];
            /**
             * @description Id of the request.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example preference_request
             * @enum {string}
             */
            readonly object: "preference_request";
        };
        readonly ExpiredConsentDto: {
            /**
             * Format: date-time
             * @description When it ran out.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly expiredAt: string;
            /**
             * @description The record that ran out.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example consent_record
             * @enum {string}
             */
            readonly object: "consent_record";
            /**
             * @description Key of the purpose.
             * @example analytics
             */
            readonly purpose: string;
            /**
             * @description State since then.
             * @example EXPIRED
             * @enum {string}
             */
            readonly state: "GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED";
        };
        readonly IssuedReceiptDto: {
            /**
             * @description What it is about.
             * @example CONSENT
             * @enum {string}
             */
            readonly about: "CONSENT" | "PREFERENCES" | "CONFIRMATION" | "ERASURE";
            /**
             * @description Id of the receipt.
             * @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * Format: date-time
             * @description When what it proves was recorded.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly issuedAt: string;
            /**
             * @description What this is.
             * @example receipt
             * @enum {string}
             */
            readonly object: "receipt";
            /**
             * @description Path of the receipt.
             * @example /v1/receipts/rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly receipt: string;
            /**
             * @description The record that it proves; null of an erasure.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly recordId: string | null;
        };
        readonly PendingPreferencesDto: {
            /**
             * Format: date-time
             * @description When the link runs out; null: none was made yet.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly expiresAt: string | null;
            /** @description The topics that wait. */
            readonly fields: readonly components["schemas"]["AnnouncedFieldDto"][];
            /**
             * @description Id of the request, or of the record that wished for it.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example preference_request
             * @enum {string}
             */
            readonly object: "preference_request";
            /**
             * Format: date-time
             * @description Since when they wait.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly requestedAt: string;
        };
        readonly "policy.published": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["PublishedDocumentDto"];
                readonly previous: components["schemas"]["PreviousVersionDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "policy.published";
        };
        readonly "preference.confirmation_expired": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["ExpiredConfirmationDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "preference.confirmation_expired";
        };
        readonly "preference.confirmed": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["ConfirmedPreferencesDto"];
                readonly previous: components["schemas"]["PreviousPreferencesDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "preference.confirmed";
        };
        readonly "preference.pending": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["PendingPreferencesDto"];
                readonly previous: components["schemas"]["PreviousPreferencesDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "preference.pending";
        };
        readonly "preference.updated": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedPreferencesDto"];
                readonly previous: components["schemas"]["PreviousPreferencesDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "preference.updated";
        };
        readonly PreviousConsentDto: {
            /**
             * @description State before.
             * @example NOT_COLLECTED
             * @enum {string}
             */
            readonly state: "GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED";
        };
        readonly PreviousPreferencesDto: {
            /** @description The same fields, as they were. */
            readonly fields: readonly components["schemas"]["AnnouncedFieldDto"][];
        };
        readonly PreviousVendorListDto: {
            /**
             * @description The version before.
             * @example 119
             */
            readonly version: number;
        };
        readonly PreviousVersionDto: {
            /**
             * @description The version before.
             * @example 1
             */
            readonly version: number;
        };
        readonly PublishedDocumentDto: {
            /**
             * @description Hash of all that the version says.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly definitionHash: string;
            /**
             * Format: date-time
             * @description From when on it is in force.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly effectiveFrom: string;
            /**
             * @description What this is.
             * @example banner
             * @enum {string}
             */
            readonly object: "policies" | "banner" | "template";
            /**
             * Format: date-time
             * @description When it was published.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly publishedAt: string;
            /**
             * @description What changed, in the words of who published it.
             * @example Clearer words.
             */
            readonly summary: string;
            /**
             * @description The version.
             * @example 2
             */
            readonly version: number;
        };
        readonly PublishedPurposeDto: {
            /**
             * @description MATERIAL: who agreed before has to be asked again.
             * @example MATERIAL
             * @enum {string}
             */
            readonly change: "MATERIAL" | "EDITORIAL";
            /**
             * @description Hash of all that the version says.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly definitionHash: string;
            /**
             * Format: date-time
             * @description From when on it is in force.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly effectiveFrom: string;
            /**
             * @description Key of the purpose.
             * @example analytics
             */
            readonly key: string;
            /**
             * @description What this is.
             * @example purpose
             * @enum {string}
             */
            readonly object: "purpose";
            /**
             * Format: date-time
             * @description When it was published.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly publishedAt: string;
            /**
             * @description What changed, in the words of who published it.
             * @example Clearer words.
             */
            readonly summary: string;
            /**
             * @description The version.
             * @example 2
             */
            readonly version: number;
        };
        readonly "purpose.published": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["PublishedPurposeDto"];
                readonly previous: components["schemas"]["PreviousVersionDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "purpose.published";
        };
        readonly "purpose.retired": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["RetiredPurposeDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "purpose.retired";
        };
        readonly "receipt.issued": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["IssuedReceiptDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "receipt.issued";
        };
        readonly ReplacedApiKeyDto: {
            /**
             * Format: date-time
             * @description When the old key stops working.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly expiresAt: string;
            /**
             * @description Id of the key.
             * @example key_xeESJMDvWdte
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example api_key
             * @enum {string}
             */
            readonly object: "api_key";
            /**
             * @description Id of the key that takes its place.
             * @example key_ILThWUwoZpQV
             */
            readonly successorId: string;
        };
        readonly RequiredRenewalDto: {
            /**
             * Format: date-time
             * @description Since when they have to be asked.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly effectiveFrom: string;
            /**
             * @description What this is.
             * @example renewal
             * @enum {string}
             */
            readonly object: "renewal";
            /**
             * @description Key of the purpose.
             * @example analytics
             */
            readonly purpose: string;
            /**
             * @description The version that who agreed to an older one has to be asked about.
             * @example 2
             */
            readonly purposeVersion: number;
            /**
             * @description Path that lists them.
             * @example /v1/purposes/analytics/renewals
             */
            readonly renewals: string;
        };
        readonly RetiredPurposeDto: {
            /**
             * @description Key of the purpose.
             * @example analytics
             */
            readonly key: string;
            /**
             * @description What this is.
             * @example purpose
             * @enum {string}
             */
            readonly object: "purpose";
            /**
             * Format: date-time
             * @description Since when no person is asked for it.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly retiredAt: string;
            /**
             * @description Its last version.
             * @example 2
             */
            readonly version: number;
        };
        readonly RevertedMergeDto: {
            /**
             * @description Id of the merge.
             * @example mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example merge
             * @enum {string}
             */
            readonly object: "merge";
            /** @description The subjects that are their own again. */
            readonly released: readonly string[];
            /**
             * Format: date-time
             * @description When the merge was reverted.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly revertedAt: string;
            /**
             * @description The subject that they were part of.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly target: string;
        };
        readonly RevokedApiKeyDto: {
            /**
             * @description Id of the key.
             * @example key_xeESJMDvWdte
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example api_key
             * @enum {string}
             */
            readonly object: "api_key";
            /**
             * Format: date-time
             * @description Since when it works no more.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly revokedAt: string;
        };
        readonly "subject.created": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["CreatedSubjectDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "subject.created";
        };
        readonly "subject.erased": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedErasureDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "subject.erased";
        };
        readonly "subject.identifier_added": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AddedIdentifierDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "subject.identifier_added";
        };
        readonly "subject.merge_reverted": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["RevertedMergeDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "subject.merge_reverted";
        };
        readonly "subject.merged": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["AnnouncedMergeDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "subject.merged";
        };
        readonly "template.published": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["PublishedDocumentDto"];
                readonly previous: components["schemas"]["PreviousVersionDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "template.published";
        };
        readonly UpdatedVendorListDto: {
            /**
             * Format: date-time
             * @description When the list was made.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly lastUpdated: string;
            /**
             * @description What this is.
             * @example vendor_list
             * @enum {string}
             */
            readonly object: "vendor_list";
            /**
             * @description Purposes that a person who granted them before has to be asked about again, because a vendor of the site asks for more.
             * @example [
             *       "analytics"
             *     ]
             */
            readonly renewals: readonly string[];
            /**
             * @description Version of the list.
             * @example 120
             */
            readonly version: number;
        };
        readonly "vendor_list.updated": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["UpdatedVendorListDto"];
                readonly previous: components["schemas"]["PreviousVendorListDto"] | null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "vendor_list.updated";
        };
        readonly "webhook.endpoint_disabled": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["DisabledEndpointDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "webhook.endpoint_disabled";
        };
        readonly "webhook.test": {
            /** @constant */
            readonly apiVersion: "2026-11-01";
            /**
             * Format: date-time
             * @description When the service recorded what happened.
             */
            readonly createdAt: string;
            readonly data: {
                readonly object: components["schemas"]["WebhookTestDto"];
                readonly previous: null;
            };
            /** @enum {unknown} */
            readonly environment: "test" | "live";
            /** @description The same on every attempt and in every replay: what to tell duplicates by. */
            readonly id: string;
            /**
             * Format: date-time
             * @description When it happened; of an import, maybe long before.
             */
            readonly occurredAt: string;
            /** @description Grows from event to event of a site and environment, with gaps. */
            readonly sequence: number;
            /** @description The site. */
            readonly site: string;
            /** @description The subject of the event; null: it has none. */
            readonly subject: {
                /** @description Id of the subject. */
                readonly id: string;
                /** @description In clear, of endpoints that ask for them; gone once the subject is erased. */
                readonly identifiers?: readonly {
                    /** @description Kind of the identifier. */
                    readonly kind: string;
                    /** @description The identifier. */
                    readonly value: string;
                }[];
            } | null;
            /** @constant */
            readonly type: "webhook.test";
        };
        readonly WebhookTestDto: {
            /**
             * @description Id of the endpoint that is tried.
             * @example whe_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /**
             * @description What this is.
             * @example webhook_endpoint
             * @enum {string}
             */
            readonly object: "webhook_endpoint";
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;

/** Every type of webhook event, by name. */
export const WEBHOOK_EVENTS = [
  'api_key.revoked',
  'api_key.rotated',
  'banner.published',
  'consent.denied',
  'consent.expired',
  'consent.granted',
  'consent.recorded',
  'consent.renewal_required',
  'consent.withdrawn',
  'data_request.completed',
  'data_request.due_soon',
  'data_request.extended',
  'data_request.overdue',
  'data_request.received',
  'data_request.rejected',
  'data_request.verified',
  'policy.published',
  'preference.confirmation_expired',
  'preference.confirmed',
  'preference.pending',
  'preference.updated',
  'purpose.published',
  'purpose.retired',
  'receipt.issued',
  'subject.created',
  'subject.erased',
  'subject.identifier_added',
  'subject.merge_reverted',
  'subject.merged',
  'template.published',
  'vendor_list.updated',
  'webhook.endpoint_disabled',
  'webhook.test',
] as const;
