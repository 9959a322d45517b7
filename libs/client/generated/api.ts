// Written by `npm run client:types` from what the service serves. Not to be edited.

export interface components {
    schemas: {
        readonly Acknowledgement: {
            /**
             * @description How many of the unit; null where the law sets no period, or none is known.
             * @example 10
             */
            readonly dueDays: number | null;
            /**
             * @description Periods of 24 hours end at their minute, all others at the end of a day.
             * @example BUSINESS_DAYS
             */
            readonly unit: ("MONTHS" | "CALENDAR_DAYS" | "BUSINESS_DAYS" | "PERIODS_OF_24_HOURS") | string;
        };
        readonly Actor: {
            /**
             * @description Who that is, in your terms. Personal: encrypted, gone after erasure.
             * @example agent-17
             */
            readonly id?: string;
            /**
             * @description Relationship to the subject. Personal: encrypted.
             * @example parent
             */
            readonly relationship?: string;
            /**
             * @description Who decided.
             * @example GUARDIAN
             * @enum {string}
             */
            readonly type: "SUBJECT" | "GUARDIAN" | "AGENT" | "OPERATOR" | "SYSTEM";
        };
        readonly AddIdentifier: {
            /**
             * @description Which decisions of an anonymous visitor follow the person: IF_DENIED lets refusals follow, not grants. Default: `IF_DENIED`.
             * @example IF_DENIED
             * @enum {string}
             */
            readonly carryOver?: "NEVER" | "IF_DENIED" | "IF_GRANTED" | "ALWAYS";
            /**
             * @description email, phone, user_id, external_id, visitor_id, device_id, idfa, idfv, gaid or `custom.<slug>`.
             * @example email
             */
            readonly kind: string;
            /**
             * @description Where the identifier comes from. Default: `API`.
             * @example API
             * @enum {string}
             */
            readonly source?: "API" | "IMPORT" | "MIGRATION";
            /**
             * @description Normalised before it is looked up: e-mail trimmed, NFKC, lower case, IDNA domain (dots and plus kept); phone E.164, without a trunk prefix; UUIDs lower case; others trimmed, NFC. What cannot be normalised is refused.
             * @example ada@example.org
             */
            readonly value: string;
            /**
             * @description You know that it is the subject’s own. Default: `false`.
             * @example true
             */
            readonly verified?: boolean;
        };
        readonly Archive: {
            /**
             * @description Its size in bytes.
             * @example 20480
             */
            readonly bytes: number;
            /**
             * @description SHA-256 of what was handed out, as hex.
             * @example abababababababababababababababababababababababababababababababab
             */
            readonly sha256: string;
        };
        readonly Banner: {
            /**
             * @description Languages it can be had in.
             * @example [
             *       "de",
             *       "en"
             *     ]
             */
            readonly availableLocales: readonly string[];
            /** @description How it behaves. */
            readonly behaviour: components["schemas"]["BannerBehaviour"];
            /** @description Buttons, in their order. Of OPT_IN REJECT_ALL is among those of the first layer, as visible as ACCEPT_ALL. */
            readonly buttons: readonly components["schemas"]["BannerButton"][];
            /**
             * @description SHA-256 of what the banner itself shows in this language: GET /v1/notices/{hash} answers it for ever. Purposes have hashes of their own.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly contentHash: string;
            /**
             * @description In which direction the language is written.
             * @example LTR
             */
            readonly direction: ("LTR" | "RTL") | string;
            /**
             * Format: date-time
             * @description From when this version is in force.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly effectiveFrom: string | null;
            /** @description Google consent mode. */
            readonly google: components["schemas"]["BannerGoogle"];
            /** @description IAB GPP. */
            readonly gpp: components["schemas"]["BannerGpp"];
            /**
             * @description Its form.
             * @example BOX
             */
            readonly layout: ("BAR" | "BOX" | "DIALOG" | "WALL") | string;
            /** @description Where more can be read. */
            readonly links: components["schemas"]["BannerLinks"];
            /**
             * @description The language served; `und` of version 0.
             * @example en
             */
            readonly locale: string;
            /**
             * @description What this is.
             * @example banner
             * @enum {string}
             */
            readonly object: "banner";
            /** @description The policy of the place, as GET /v1/policy answers it. */
            readonly policy: components["schemas"]["Policy"];
            /**
             * @description Where it stands.
             * @example BOTTOM
             */
            readonly position: ("TOP" | "BOTTOM" | "CENTER") | string;
            /**
             * @description What the policy asks for: to ask, to let object, to tell, or nothing.
             * @example OPT_IN
             */
            readonly presentation: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "NONE") | string;
            /**
             * @description Signed statement of what is shown here, good for a day. Send it back as `collection.presentationToken` with the choices that are made on it. Null where there is nothing to show, or more than can be stated (some 120 purposes).
             * @example eyJhbGciOiJFZERTQSJ9.e30.c2ln
             */
            readonly presentationToken: string | null;
            /**
             * Format: date-time
             * @description When it was published.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly publishedAt: string | null;
            /** @description What is asked for. */
            readonly purposes: readonly components["schemas"]["BannerPurpose"][];
            /** @description IAB TCF. */
            readonly tcf: components["schemas"]["BannerTcf"];
            /** @description Texts, in the language served. */
            readonly texts: components["schemas"]["BannerTexts"];
            /** @description How it looks. */
            readonly theme: components["schemas"]["BannerTheme"];
            /**
             * @description Version, from 1; 0 where none was published: nothing is shown then.
             * @example 1
             */
            readonly version: number;
        };
        readonly BannerBehaviour: {
            /**
             * @description What closing without a choice counts as.
             * @example REJECT
             */
            readonly dismiss: ("REJECT" | "IGNORE") | string;
            /**
             * @description How a visitor returns to the choices.
             * @example LINK
             */
            readonly reopen: ("FLOATING" | "LINK") | string;
            /**
             * @description After how many days a visitor is asked again: not sooner than the policy allows; null: at the next visit.
             * @example 180
             */
            readonly resurfaceAfterDays: number | null;
            /**
             * @description Whether the page behind stands still.
             * @example false
             */
            readonly scrollLock: boolean;
        };
        readonly BannerButton: {
            /**
             * @description What a click does.
             * @example REJECT_ALL
             */
            readonly action: ("ACCEPT_ALL" | "REJECT_ALL" | "CUSTOMIZE" | "SAVE" | "ACKNOWLEDGE" | "DO_NOT_SELL") | string;
            /**
             * @description How much it stands out.
             * @example PRIMARY
             */
            readonly emphasis: ("PRIMARY" | "SECONDARY") | string;
            /**
             * @description 1: seen at once. 2: the choices behind it.
             * @example 1
             */
            readonly layer: number;
        };
        readonly BannerContent: {
            /**
             * @description Languages it can be had in.
             * @example [
             *       "de",
             *       "en"
             *     ]
             */
            readonly availableLocales: readonly string[];
            /** @description How it behaves. */
            readonly behaviour: components["schemas"]["BannerBehaviour"];
            /** @description Buttons, in their order. Of OPT_IN REJECT_ALL is among those of the first layer, as visible as ACCEPT_ALL. */
            readonly buttons: readonly components["schemas"]["BannerButton"][];
            /**
             * @description SHA-256 of what the banner itself shows in this language: GET /v1/notices/{hash} answers it for ever. Purposes have hashes of their own.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly contentHash: string;
            /**
             * @description In which direction the language is written.
             * @example LTR
             */
            readonly direction: ("LTR" | "RTL") | string;
            /**
             * Format: date-time
             * @description From when this version is in force.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly effectiveFrom: string | null;
            /**
             * @description Its form.
             * @example BOX
             */
            readonly layout: ("BAR" | "BOX" | "DIALOG" | "WALL") | string;
            /** @description Where more can be read. */
            readonly links: components["schemas"]["BannerLinks"];
            /**
             * @description The language served; `und` of version 0.
             * @example en
             */
            readonly locale: string;
            /**
             * @description What this is.
             * @example banner
             * @enum {string}
             */
            readonly object: "banner";
            /**
             * @description Where it stands.
             * @example BOTTOM
             */
            readonly position: ("TOP" | "BOTTOM" | "CENTER") | string;
            /**
             * @description What the policy asks for: to ask, to let object, to tell, or nothing.
             * @example OPT_IN
             */
            readonly presentation: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "NONE") | string;
            /**
             * Format: date-time
             * @description When it was published.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly publishedAt: string | null;
            /** @description What is asked for. */
            readonly purposes: readonly components["schemas"]["BannerPurpose"][];
            /** @description Texts, in the language served. */
            readonly texts: components["schemas"]["BannerTexts"];
            /** @description How it looks. */
            readonly theme: components["schemas"]["BannerTheme"];
            /**
             * @description Version, from 1; 0 where none was published: nothing is shown then.
             * @example 1
             */
            readonly version: number;
        };
        readonly BannerGoogle: {
            /** @description The 7 types before a choice: granted where every purpose of a type is. */
            readonly default: components["schemas"]["GoogleDefaults"];
            /**
             * @description How long tags wait for a choice, in milliseconds.
             * @example 500
             */
            readonly waitForUpdateMs: number;
        };
        readonly BannerGpp: {
            /**
             * @description STATE: strings hold the section of the state of the US. NATIONAL: the national section in every state.
             * @example STATE
             */
            readonly approach: ("STATE" | "NATIONAL") | string;
            /**
             * @description Whether IAB GPP is used here.
             * @example true
             */
            readonly enabled: boolean;
            /** @description The Multi-State Privacy Agreement of IAB. */
            readonly mspa: components["schemas"]["BannerMspa"];
            /**
             * @description Ids of the sections that apply, ascending: the `applicableSections` of GPP strings made here. In the United States they follow from `approach`, so that they can differ from `policy.gppSections`, which is the law alone.
             * @example [
             *       2
             *     ]
             */
            readonly sections: readonly number[];
        };
        readonly BannerLinks: {
            /**
             * @description Imprint.
             * @example null
             */
            readonly imprint: string | null;
            /**
             * @description Privacy policy.
             * @example https://shop.example/privacy
             */
            readonly privacyPolicy: string | null;
        };
        readonly BannerManifest: {
            /**
             * @description Languages that the banner can be had in; `contents` may lack some of very large banners.
             * @example [
             *       "de",
             *       "en"
             *     ]
             */
            readonly availableLocales: readonly string[];
            /** @description Everything that is shown anywhere, by its hash: SHA-256 over the canonical form (RFC 8785). */
            readonly contents: {
                readonly [key: string]: components["schemas"]["BannerContent"];
            };
            /**
             * @description The language of callers whose wish cannot be met; null where no banner was published.
             * @example en
             */
            readonly defaultLocale: string | null;
            /**
             * @description What this is.
             * @example banner_manifest
             * @enum {string}
             */
            readonly object: "banner_manifest";
            /** @description What holds where. The rule of the region counts, else that of its country, else the one without a country. */
            readonly rules: readonly components["schemas"]["RuleOfPlace"][];
            /**
             * @description Style sheet of the banner. The address changes with its content.
             * @example https://consent.example/elements/v1/banner-1a2b3c4d5e6f.css
             */
            readonly style: string;
            /** @description IAB TCF, as at a place whose rule says `tcf.enabled`. */
            readonly tcf: components["schemas"]["BannerTcf"];
        };
        readonly BannerMspa: {
            /**
             * @description Whether the site has signed the Multi-State Privacy Agreement of IAB and what it does is covered by it.
             * @example false
             */
            readonly covered: boolean;
            /**
             * @description In which of its two modes. Null exactly where it is not covered.
             * @example null
             */
            readonly mode: ("OPT_OUT" | "SERVICE_PROVIDER") | string | null;
        };
        readonly BannerPurpose: {
            /**
             * @description Category.
             * @example ANALYTICS
             */
            readonly category: ("NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER") | string;
            /**
             * @description What silence means.
             * @example OPT_IN
             */
            readonly consentModel: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "ALWAYS_ON") | string;
            /**
             * @description SHA-256 of exactly this version in exactly this language.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly contentHash: string;
            /**
             * @description What holds here until the visitor chooses.
             * @example DENIED
             */
            readonly default: ("GRANTED" | "DENIED") | string;
            /**
             * @description Description.
             * @example Counts visits.
             */
            readonly description: string;
            /**
             * @description Whether Global Privacy Control reaches it.
             * @example false
             */
            readonly gpc: boolean;
            /**
             * @description Key of the purpose.
             * @example analytics
             */
            readonly key: string;
            /**
             * @description GDPR art. 6(1).
             * @example CONSENT
             */
            readonly legalBasis: ("CONSENT" | "CONTRACT" | "LEGAL_OBLIGATION" | "VITAL_INTERESTS" | "PUBLIC_TASK" | "LEGITIMATE_INTERESTS") | string;
            /**
             * @description The language of its texts.
             * @example en
             */
            readonly locale: string;
            /**
             * @description Whether it is no choice at all.
             * @example false
             */
            readonly locked: boolean;
            /**
             * @description Name.
             * @example Statistics
             */
            readonly name: string;
            /**
             * @description Version that is shown.
             * @example 1
             */
            readonly version: number;
        };
        readonly BannerTcf: {
            /**
             * @description Id of the consent tool that TC strings of this site name, as registered with IAB Europe; 4095 marks those of `test` as made for a test. Null in `live` where the site has named no tool: no TC string is made then.
             * @example 300
             */
            readonly cmpId: number | null;
            /**
             * @description Version of that tool. Null exactly where `cmpId` is.
             * @example 4
             */
            readonly cmpVersion: number | null;
            /**
             * @description Whether IAB TCF is used here.
             * @example true
             */
            readonly enabled: boolean;
            /**
             * @description Always true: TC strings hold for the services of this site alone, as TCF demands since version 2.2.
             * @example true
             */
            readonly isServiceSpecific: boolean;
            /**
             * @description Country whose law the publisher is under.
             * @example DE
             */
            readonly publisherCountry: string | null;
            /**
             * @description Ids in the Global Vendor List of the vendors that the banner discloses, in ascending order: TC strings name these as disclosed, as far as the list has them.
             * @example [
             *       755,
             *       793
             *     ]
             */
            readonly vendors: readonly number[];
        };
        readonly BannerTexts: {
            /**
             * @description ACCEPT_ALL; null where the site has no such text.
             * @example Accept all
             */
            readonly acceptAll: string | null;
            /**
             * @description ACKNOWLEDGE; null where the site has no such text.
             * @example Understood
             */
            readonly acknowledge: string | null;
            /**
             * @description Text; null of version 0.
             * @example May we count visits?
             */
            readonly body: string | null;
            /**
             * @description Closing the banner; null where the site has no such text.
             * @example Close
             */
            readonly close: string | null;
            /**
             * @description CUSTOMIZE; null where the site has no such text.
             * @example Choose
             */
            readonly customize: string | null;
            /**
             * @description DO_NOT_SELL; null where the site has no such text.
             * @example Do not sell or share my data
             */
            readonly doNotSell: string | null;
            /**
             * @description Coming back to the choices; null where the site has no such text.
             * @example Privacy choices
             */
            readonly privacyChoices: string | null;
            /**
             * @description REJECT_ALL; null where the site has no such text.
             * @example Reject all
             */
            readonly rejectAll: string | null;
            /**
             * @description SAVE; null where the site has no such text.
             * @example Save my choices
             */
            readonly save: string | null;
            /**
             * @description Title; null of version 0.
             * @example Your privacy
             */
            readonly title: string | null;
        };
        readonly BannerTheme: {
            /** @description Colours of the dark scheme. */
            readonly dark: components["schemas"]["Colours"];
            /**
             * @description Fonts, as in CSS.
             * @example Inter, sans-serif
             */
            readonly fontFamily: string | null;
            /** @description Colours; a page takes its own for what is not said. */
            readonly light: components["schemas"]["Colours"];
            /**
             * @description Radius of corners, in pixels.
             * @example 8
             */
            readonly radiusPx: number | null;
        };
        readonly BatchItem: {
            /** @description Who decided. Default: the subject. */
            readonly actor?: components["schemas"]["Actor"];
            /** @description How it was collected. */
            readonly collection?: components["schemas"]["Collection"];
            /**
             * @description The decision. OBJECTED only on LEGITIMATE_INTERESTS or OPT_OUT; ACKNOWLEDGED only for NOTICE_ONLY; WITHDRAWN is always possible.
             * @example GRANTED
             * @enum {string}
             */
            readonly decision: "GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED";
            /** @description Documents that prove the decision, by hash. */
            readonly evidence?: readonly components["schemas"]["Evidence"][];
            /**
             * Format: date-time
             * @description When the grant ends. Default, and latest: what the purpose allows.
             * @example 2027-11-21T12:00:00.000Z
             */
            readonly expiresAt?: string;
            /**
             * Format: date-time
             * @description When it was decided. Default now; at most 5 minutes ahead, and at most 24 hours back unless IMPORT or MIGRATION.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly givenAt?: string;
            /**
             * @description How many seconds ago it was decided, for callers whose clock cannot be trusted: the service dates it by its own. At most a day. Instead of givenAt, never beside it. It may differ between tries of one request: an Idempotency-Key does not count it.
             * @example 90
             */
            readonly givenSecondsAgo?: number;
            /**
             * @description Idempotency key of this item alone. Default: derived from the key of the batch and the place in it.
             * @example import-17-row-4
             */
            readonly idempotencyKey?: string;
            /** @description Place whose law was applied. */
            readonly jurisdiction?: components["schemas"]["JurisdictionInput"];
            /**
             * @description Your own facts about the record. Encrypted, gone after erasure. At most 20 keys, 4096 bytes as JSON, 4 levels deep.
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            /**
             * @description Key of a published purpose.
             * @example analytics
             */
            readonly purpose: string;
            /**
             * @description Version of the purpose that was shown. Default: the current one.
             * @example 1
             */
            readonly purposeVersion?: number;
            /** @description Privacy signals of the browser. */
            readonly signals?: components["schemas"]["SignalsInput"];
            /**
             * @description IMPORT and MIGRATION: the caller asserts the record rather than the subject; they need a secret key. Default: `API`.
             * @example API
             * @enum {string}
             */
            readonly source?: "API" | "IMPORT" | "MIGRATION";
            /**
             * @description Whose decision: `<kind>:<value>`.
             * @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90
             */
            readonly subject: string;
            /** @description Choices for single vendors. */
            readonly vendors?: readonly components["schemas"]["VendorInput"][];
        };
        readonly BatchItemResult: {
            /** @description Why it was rejected. */
            readonly error?: components["schemas"]["ItemError"];
            /**
             * @description Place in the input.
             * @example 0
             */
            readonly index: number;
            /** @description The record. */
            readonly record?: components["schemas"]["ConsentRecord"];
            /**
             * @description RECORDED; REPLAYED: its own idempotency key was answered before; REJECTED: see error; NOT_APPLIED: valid, but nothing was recorded (dry run, or ATOMIC with a rejected item).
             * @example RECORDED
             */
            readonly status: ("RECORDED" | "REPLAYED" | "REJECTED" | "NOT_APPLIED") | string;
        };
        readonly BatchResult: {
            /**
             * @description The mode that was applied.
             * @example PARTIAL
             */
            readonly mode: ("PARTIAL" | "ATOMIC") | string;
            /**
             * @description What this is.
             * @example batch_result
             * @enum {string}
             */
            readonly object: "batch_result";
            /** @description One result for each record, in the order of the input. */
            readonly results: readonly components["schemas"]["BatchItemResult"][];
            /** @description Counts. */
            readonly summary: components["schemas"]["BatchSummary"];
        };
        readonly BatchSummary: {
            /**
             * @description Items recorded now.
             * @example 2
             */
            readonly recorded: number;
            /**
             * @description Items refused.
             * @example 0
             */
            readonly rejected: number;
            /**
             * @description Items recorded before under their own key.
             * @example 0
             */
            readonly replayed: number;
            /**
             * @description Items sent.
             * @example 2
             */
            readonly total: number;
        };
        readonly CategoryPolicy: {
            /**
             * @description Category of purposes.
             * @example ANALYTICS
             */
            readonly category: ("NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER") | string;
            /**
             * @description What holds until the person chooses.
             * @example DENIED
             */
            readonly default: ("GRANTED" | "DENIED") | string;
            /**
             * @description Whether it is no choice at all.
             * @example false
             */
            readonly locked: boolean;
        };
        readonly ChannelPreferences: {
            /**
             * @description The most that any of its topics allows.
             * @example GRANTED
             */
            readonly state: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET") | string;
            /** @description Every topic of the template, and those that were chosen before it changed. */
            readonly topics: {
                readonly [key: string]: components["schemas"]["TopicPreference"];
            };
            /**
             * @description Whether the subject has a verified address of the kind that the channel needs; always true where it needs none.
             * @example true
             */
            readonly verified: boolean;
        };
        readonly Collection: {
            /**
             * @description Version of the banner that was shown.
             * @example 3
             */
            readonly bannerVersion?: number;
            /** @description What was on the screen, as the element that showed it judged itself before the choice counted. Kept in record and receipt as it came: a claim of the page, not a finding of the service. */
            readonly display?: components["schemas"]["DisplayInput"];
            /**
             * @description Language in which the purpose was shown, BCP 47. Decides which text the record names as proof.
             * @example de
             */
            readonly locale?: string;
            /**
             * @description By which act the decision was expressed.
             * @example SAVE_CHOICES
             * @enum {string}
             */
            readonly method: "ACCEPT_ALL" | "REJECT_ALL" | "SAVE_CHOICES" | "TOGGLE" | "DISMISS" | "CHECKBOX" | "SIGNATURE" | "VERBAL" | "PAPER" | "SIGNAL" | "SCRIPT" | "OPERATOR" | "CONFIRMATION_LINK" | "IMPORT";
            /**
             * @description Content hash of the notice that was shown.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly noticeHash?: string;
            /**
             * @description The signed statement of what was shown, as GET /v1/banner answered it. It is checked, and what it says is kept as `presentation`: the version and the language of the purpose are then those that were shown.
             * @example eyJhbGciOiJFZERTQSJ9.e30.c2ln
             */
            readonly presentationToken?: string;
            /**
             * @description Where it was expressed.
             * @example BANNER
             * @enum {string}
             */
            readonly surface: "BANNER" | "DIALOG" | "PREFERENCE_CENTER" | "FORM" | "WIDGET" | "APP" | "CTV" | "CALL" | "API";
            /**
             * Format: uri
             * @description Page on which it happened. Only origin and path are kept; query and fragment are dropped before anything is stored.
             * @example https://shop.example/checkout
             */
            readonly url?: string;
        };
        readonly Colours: {
            /**
             * @description Ground.
             * @example #ffffff
             */
            readonly background?: string;
            /**
             * @description Border.
             * @example #9a9996
             */
            readonly border?: string;
            /**
             * @description Links.
             * @example #1a5fb4
             */
            readonly link?: string;
            /**
             * @description Text on primary buttons.
             * @example #ffffff
             */
            readonly onPrimary?: string;
            /**
             * @description Text on secondary buttons.
             * @example #14171b
             */
            readonly onSecondary?: string;
            /**
             * @description Ground of primary buttons.
             * @example #1a5fb4
             */
            readonly primary?: string;
            /**
             * @description Ground of secondary buttons.
             * @example #e6e6e6
             */
            readonly secondary?: string;
            /**
             * @description Text on the ground.
             * @example #14171b
             */
            readonly text?: string;
        };
        readonly ConfirmationText: {
            /**
             * @description On the button.
             * @example Confirm
             */
            readonly button: string;
            /**
             * @description Its direction.
             * @example ltr
             */
            readonly dir: ("ltr" | "rtl") | string;
            /**
             * @description Below.
             * @example Demo Shop
             */
            readonly footer: string;
            /**
             * @description Language.
             * @example en
             */
            readonly language: string;
            /**
             * @description Paragraphs.
             * @example [
             *       "You asked for: News."
             *     ]
             */
            readonly paragraphs: readonly string[];
            /**
             * @description Title.
             * @example Please confirm
             */
            readonly title: string;
        };
        readonly ConfirmationToken: {
            /**
             * @description The page for the recipient. Opening it changes nothing.
             * @example https://consent.example/v1/preferences/confirm?token=cft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG8
             */
            readonly confirmUrl: string;
            /**
             * Format: date-time
             * @description Until when the link is good.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly expiresAt: string;
            /**
             * @description The whole capability to confirm. Must never reach a page; kept nowhere.
             * @example cft_Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdG8
             */
            readonly token: string;
        };
        readonly ConfirmedField: {
            /**
             * @description Its channel.
             * @example email
             */
            readonly channel: string;
            /**
             * @description Full path of the topic.
             * @example channels.email.topics.news
             */
            readonly field: string;
            /**
             * @description State before.
             * @example PENDING
             */
            readonly previousState?: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET") | string;
            /**
             * @description State after; absent for a request that ran out before the service recorded it.
             * @example GRANTED
             */
            readonly state?: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET") | string;
            /**
             * @description The topic.
             * @example news
             */
            readonly topic: string;
        };
        readonly ConsentHistory: {
            /** @description Newest first. */
            readonly data: readonly components["schemas"]["ConsentHistoryItem"][];
            /**
             * @description Whether more may follow.
             * @example false
             */
            readonly hasMore: boolean;
            /**
             * @description Cursor of the next page.
             * @example null
             */
            readonly nextCursor: string | null;
        };
        readonly ConsentHistoryItem: {
            /** @description Who decided. */
            readonly actor?: components["schemas"]["KeptActor"];
            /**
             * @description Whether it changed the state.
             * @example true
             */
            readonly appliedToState?: boolean;
            /** @description How it was collected. */
            readonly collection?: components["schemas"]["KeptCollection"];
            /**
             * @description The decision.
             * @example GRANTED
             */
            readonly decision?: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED") | string;
            /**
             * @description Id of the event in the log.
             * @example 0b5d6d0e-5b0a-5d3c-9a5e-7c1b2d4e8f90
             */
            readonly eventId: string;
            /** @description Documents by hash. */
            readonly evidence?: readonly components["schemas"]["KeptEvidence"][];
            /**
             * Format: date-time
             * @description When the grant ends, or ended.
             * @example 2027-11-21T12:00:00.000Z
             */
            readonly expiresAt?: string | null;
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly givenAt?: string;
            /**
             * @description Id of the record.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /** @description Place whose law was applied. */
            readonly jurisdiction?: components["schemas"]["Jurisdiction"];
            /**
             * @description The subject whose stream it came from, where subjects were merged.
             * @example null
             */
            readonly mergedFrom: string | null;
            /**
             * @description Your own facts; null after erasure. At most 20 keys, 4096 bytes as JSON, 4 levels deep.
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            readonly metadata?: {
                readonly [key: string]: unknown;
            } | null;
            /** @description The text that was in force. */
            readonly notice?: components["schemas"]["Notice"];
            /**
             * @description A decision, or its running out.
             * @example consent_record
             */
            readonly object: ("consent_record" | "consent_expiry") | string;
            /** @description What was shown, as the presentation token of the decision stated it. */
            readonly presentation?: components["schemas"]["Presentation"];
            /**
             * @description State before it.
             * @example NOT_COLLECTED
             */
            readonly previousState?: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
            /** @description What the request itself showed, minimised. */
            readonly provenance?: components["schemas"]["Provenance"];
            /**
             * @description Key of the purpose.
             * @example analytics
             */
            readonly purpose: string;
            /**
             * @description Version of the purpose.
             * @example 1
             */
            readonly purposeVersion?: number;
            /**
             * @description Id of the receipt; null for an expiry.
             * @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly receiptId: string | null;
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
            /** @description Privacy signals. */
            readonly signals?: components["schemas"]["Signals"];
            /**
             * @description Who asserts it.
             * @example API
             */
            readonly source?: ("API" | "IMPORT" | "MIGRATION") | string;
            /**
             * @description State after it.
             * @example GRANTED
             */
            readonly state: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
            /**
             * @description The record that stood instead.
             * @example null
             */
            readonly supersededBy?: string | null;
            /**
             * @description True of an import or a migration without a date: `givenAt` is when it was recorded.
             * @example true
             */
            readonly undated?: boolean;
            /** @description Choices for single vendors. */
            readonly vendors?: readonly components["schemas"]["Vendor"][];
        };
        readonly ConsentRecord: {
            /**
             * @description False where a newer decision already stood, or a refusal and this is an undated import; the record is history then.
             * @example true
             */
            readonly appliedToState: boolean;
            /**
             * @description The decision.
             * @example GRANTED
             */
            readonly decision: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED") | string;
            /**
             * Format: date-time
             * @description When the grant ends; null for no end.
             * @example 2027-11-21T12:00:00.000Z
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
             * @description State before it.
             * @example NOT_COLLECTED
             */
            readonly previousState: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
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
             * @description With it the receipt can be read without a key, from every origin: `GET /v1/receipts/{id}?token=`.
             * @example rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4
             */
            readonly receiptToken: string;
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
             */
            readonly source: ("API" | "IMPORT" | "MIGRATION") | string;
            /**
             * @description State of the purpose after this record.
             * @example GRANTED
             */
            readonly state: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
            /** @description Whose decision. */
            readonly subject: components["schemas"]["SubjectId"];
            /**
             * @description The record that stands instead.
             * @example null
             */
            readonly supersededBy: string | null;
        };
        readonly ConsentState: {
            /**
             * Format: date-time
             * @description The instant that the answer describes.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly asOf: string;
            /** @description Every published purpose, or those asked for. */
            readonly purposes: {
                readonly [key: string]: components["schemas"]["PurposeState"];
            };
            /**
             * @description Revision of the subject’s stream that the answer reflects; -1 before the first event.
             * @example 2
             */
            readonly revision: number;
            /** @description The subject. */
            readonly subject: components["schemas"]["ReaderSubject"];
        };
        readonly Controller: {
            /** @description Postal address. */
            readonly address?: components["schemas"]["PostalAddress"];
            /**
             * @description How to reach it.
             * @example privacy@shop.example
             */
            readonly contact: string;
            /**
             * @description How to reach its data protection officer.
             * @example dpo@shop.example
             */
            readonly dpoContact?: string;
            /**
             * Format: email
             * @description E-mail address. Default in receipts: the contact, where it is one.
             * @example privacy@shop.example
             */
            readonly email?: string;
            /**
             * @description Name of the controller.
             * @example Shop Example GmbH
             */
            readonly name: string;
            /**
             * @description Telephone number.
             * @example +49 30 901820
             */
            readonly phone?: string;
        };
        readonly Correction: {
            /**
             * @description Of preferences: key of the field, or `channels.<channel>.topics.<topic>`.
             * @example channels.email.topics.news
             */
            readonly field?: string;
            /**
             * @description What is wrong: a kind of identifier; or `country`, `locale`, `preference`.
             * @example email
             */
            readonly kind: string;
            /**
             * @description Of identifiers: the one that is wrong, which is removed. Left out: none is. Encrypted, gone after erasure.
             * @example ada@example.org
             */
            readonly replaces?: string;
            /**
             * @description What is right; null: nothing takes the place of what is wrong. Of an identifier its value, of `country` ISO 3166-1 alpha-2, of `locale` BCP 47, of a preference what its field takes. Encrypted, gone after erasure. At most 32768 bytes as JSON.
             * @example ada@example.net
             */
            readonly value: boolean | string | number | readonly unknown[] | null;
        };
        readonly CorrectionInput: {
            /**
             * @description Of preferences: key of the field, or `channels.<channel>.topics.<topic>`.
             * @example channels.email.topics.news
             */
            readonly field?: string;
            /**
             * @description What is wrong: a kind of identifier; or `country`, `locale`, `preference`.
             * @example email
             */
            readonly kind: string;
            /**
             * @description Of identifiers: the one that is wrong, which is removed. Left out: none is. Encrypted, gone after erasure.
             * @example ada@example.org
             */
            readonly replaces?: string;
            /**
             * @description What is right; null: nothing takes the place of what is wrong. Of an identifier its value, of `country` ISO 3166-1 alpha-2, of `locale` BCP 47, of a preference what its field takes. Encrypted, gone after erasure. At most 32768 bytes as JSON.
             * @example ada@example.net
             */
            readonly value: boolean | string | number | readonly unknown[] | null;
        };
        readonly CreateSubject: {
            /**
             * @description Country of the subject, ISO 3166-1.
             * @example DE
             */
            readonly country?: string;
            /** @description What names the subject. */
            readonly identifiers: readonly components["schemas"]["NewIdentifier"][];
            /**
             * @description Language of the subject, BCP 47.
             * @example de-AT
             */
            readonly locale?: string;
            /**
             * @description Your own facts about the subject. Encrypted, gone after erasure. At most 20 keys, 4096 bytes as JSON, 4 levels deep.
             * @example {
             *       "tier": "gold"
             *     }
             */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            /**
             * @description Where the identifiers come from. Default: `API`.
             * @example API
             * @enum {string}
             */
            readonly source?: "API" | "IMPORT" | "MIGRATION";
        };
        readonly DataCategory: {
            /**
             * @description Category of personal data.
             * @example usage
             */
            readonly key: string;
            /**
             * @description Special category (GDPR art. 9).
             * @example false
             */
            readonly sensitive: boolean;
        };
        readonly DataRequest: {
            /**
             * Format: date-time
             * @description When its receipt must have been confirmed; null where the law does not say.
             * @example null
             */
            readonly acknowledgeBy: string | null;
            /**
             * @description Id of the operator who works on it; null: none does.
             * @example opt_4Zt8nXq2LmPa
             */
            readonly assignee: string | null;
            /** @description Whether its period runs. */
            readonly clock: components["schemas"]["RequestClock"];
            /**
             * Format: date-time
             * @description When it was closed; null: it is open.
             * @example null
             */
            readonly closedAt: string | null;
            /**
             * @description What it is just being completed as; null: no completion is under way.
             * @example null
             */
            readonly completing: ("COMPLETED" | "PARTIALLY_COMPLETED") | string | null;
            /** @description Of a RECTIFICATION: what is, or was, put right: as it was completed, else as the requester asked for it. Empty: nothing was named, or it is forgotten. */
            readonly corrections: readonly components["schemas"]["Correction"][];
            /**
             * @description In the requester’s words; null: not said, or forgotten.
             * @example null
             */
            readonly details: string | null;
            /**
             * Format: date-time
             * @description The first moment that is too late to answer, pauses included; null while the clock stands still, and where the law sets no period.
             * @example 2026-12-21T23:00:00.000Z
             */
            readonly dueAt: string | null;
            /**
             * @description The request that is answered instead; in the answer to a repeated request the open one that is shown.
             * @example null
             */
            readonly duplicateOf: string | null;
            /** @description What completing it did; null: it is not completed. */
            readonly effect: components["schemas"]["RequestEffect"] | null;
            /**
             * Format: date-time
             * @description The same with the extension; null where it was not extended, and while the clock stands still.
             * @example null
             */
            readonly extendedDueAt: string | null;
            /** @description Every state that it came to, oldest first. */
            readonly history: readonly components["schemas"]["ReachedState"][];
            /**
             * @description Why it waits; null: it does not.
             * @example null
             */
            readonly holdReason: ("AWAITING_REQUESTER" | "AWAITING_THIRD_PARTY" | "LEGAL_REVIEW" | "OTHER") | string | null;
            /**
             * @description Id of the request.
             * @example dsr_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /** @description Whose law sets the dates; null: the strictest rule. */
            readonly jurisdiction: components["schemas"]["KnownPlace"] | null;
            /**
             * @description Language of the requester; null: not known, or forgotten.
             * @example de-AT
             */
            readonly locale: string | null;
            /**
             * @description The last note; null: there is none, or it is forgotten.
             * @example null
             */
            readonly note: string | null;
            /** @description What operators wrote down about it, oldest first. No webhook, page or archive shows it. */
            readonly notes: readonly components["schemas"]["RequestNote"][];
            /**
             * @description What this is.
             * @example data_request
             * @enum {string}
             */
            readonly object: "data_request";
            /**
             * @description Whether it is open and should have been answered.
             * @example false
             */
            readonly overdue: boolean;
            /** @description How long the answer may take, as the law of the place said when the request came in. */
            readonly period: components["schemas"]["RequestPeriod"];
            /**
             * @description Why it was rejected or canceled; null: it was not.
             * @example null
             */
            readonly reasonCode: ("SUSPECTED_FRAUD" | "INSUFFICIENT_VERIFICATION" | "NO_MATCH" | "CLAIM_NOT_COVERED" | "OUTSIDE_JURISDICTION" | "TOO_MANY_REQUESTS" | "LEGAL_HOLD" | "EXEMPTION" | "MANIFESTLY_UNFOUNDED" | "EXCESSIVE" | "WITHDRAWN_BY_REQUESTER" | "OPENED_BY_MISTAKE" | "SUBJECT_ERASED") | string | null;
            /**
             * Format: date-time
             * @description When it came in.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly receivedAt: string;
            /**
             * @description Act; null where none is known.
             * @example GDPR
             */
            readonly regulation: string | null;
            /** @description Who sent it. */
            readonly requester: components["schemas"]["ShownRequester"];
            /**
             * @description How it came in.
             * @example EMAIL
             */
            readonly source: ("API" | "PORTAL" | "EMAIL" | "PHONE" | "POST") | string;
            /**
             * @description How far it is.
             * @example RECEIVED
             */
            readonly state: ("RECEIVED" | "AWAITING_VERIFICATION" | "VERIFIED" | "IN_PROGRESS" | "ON_HOLD" | "COMPLETED" | "PARTIALLY_COMPLETED" | "REJECTED" | "CANCELED" | "EXPIRED" | "DUPLICATE") | string;
            /** @description Whose data it is about. */
            readonly subject: components["schemas"]["SubjectIdOnly"];
            /**
             * @description What is requested.
             * @example ACCESS
             */
            readonly type: ("ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS" | "OPT_OUT_PROFILING" | "LIMIT_SENSITIVE" | "KNOW_CATEGORIES" | "APPEAL" | "COMPLAINT") | string;
            /**
             * Format: date-time
             * @description When it last changed.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly updatedAt: string;
            /** @description What is known of who sent it. */
            readonly verification: components["schemas"]["RequestVerification"];
        };
        readonly Display: {
            /** @description Each check at most once. */
            readonly checks: readonly components["schemas"]["DisplayCheck"][];
            /**
             * @description By which rules it was judged.
             * @example 1
             */
            readonly version: number;
            /**
             * @description Width of the window: S below 600 CSS px, M below 1024, L from there.
             * @example L
             */
            readonly viewport: ("S" | "M" | "L") | string;
        };
        readonly DisplayCheck: {
            /**
             * @description What was looked at. EQUAL_SIZE, EQUAL_WEIGHT, EQUAL_CONTRAST: refusing beside accepting (EDPB Cookie Banner Taskforce, 17–18; CNIL 2020-092, 34); left out where nothing can be accepted or refused. TEXT_CONTRAST: every text has 4.5:1 (WCAG 2.2, 1.4.3). TARGET_SIZE: every control has 24 px (2.5.8). NOTHING_TICKED: where consent is asked for (CJEU C-673/17). LANGUAGE: of the banner and of the page.
             * @example EQUAL_SIZE
             */
            readonly check: ("EQUAL_SIZE" | "EQUAL_WEIGHT" | "EQUAL_CONTRAST" | "TEXT_CONTRAST" | "TARGET_SIZE" | "NOTHING_TICKED" | "LANGUAGE") | string;
            /**
             * @description What was measured: a number, a size in CSS pixels or a language without its region, and where two things are compared accepting before refusing, banner before page.
             * @example 178x44 / 178x44
             */
            readonly measured: string;
            /**
             * @description Whether it was as it should be.
             * @example true
             */
            readonly passed: boolean;
        };
        readonly DisplayCheckInput: {
            /**
             * @description What was looked at. EQUAL_SIZE, EQUAL_WEIGHT, EQUAL_CONTRAST: refusing beside accepting (EDPB Cookie Banner Taskforce, 17–18; CNIL 2020-092, 34); left out where nothing can be accepted or refused. TEXT_CONTRAST: every text has 4.5:1 (WCAG 2.2, 1.4.3). TARGET_SIZE: every control has 24 px (2.5.8). NOTHING_TICKED: where consent is asked for (CJEU C-673/17). LANGUAGE: of the banner and of the page.
             * @example EQUAL_SIZE
             * @enum {string}
             */
            readonly check: "EQUAL_SIZE" | "EQUAL_WEIGHT" | "EQUAL_CONTRAST" | "TEXT_CONTRAST" | "TARGET_SIZE" | "NOTHING_TICKED" | "LANGUAGE";
            /**
             * @description What was measured: a number, a size in CSS pixels or a language without its region, and where two things are compared accepting before refusing, banner before page.
             * @example 178x44 / 178x44
             */
            readonly measured: string;
            /**
             * @description Whether it was as it should be.
             * @example true
             */
            readonly passed: boolean;
        };
        readonly DisplayInput: {
            /** @description Each check at most once. */
            readonly checks: readonly components["schemas"]["DisplayCheckInput"][];
            /**
             * @description By which rules it was judged.
             * @example 1
             */
            readonly version: number;
            /**
             * @description Width of the window: S below 600 CSS px, M below 1024, L from there.
             * @example L
             * @enum {string}
             */
            readonly viewport: "S" | "M" | "L";
        };
        readonly Doubt: {
            /**
             * @description Why.
             * @example national law under art. 8(1), from general knowledge
             */
            readonly doubt: string;
            /**
             * @description The field that is doubted.
             * @example ageOfDigitalConsent
             */
            readonly field: string;
        };
        readonly Evidence: {
            /**
             * @description Media type.
             * @example image/png
             */
            readonly mediaType?: string;
            /**
             * @description SHA-256 of the document, hex.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly sha256: string;
            /**
             * @description What it is. Well-known values: SCREENSHOT, RECORDING, DOCUMENT, FORM_SNAPSHOT.
             * @example SCREENSHOT
             */
            readonly type: string;
            /**
             * Format: uri
             * @description Where you keep it: http, https or urn. Query and fragment are dropped; encrypted.
             * @example https://archive.example/proofs/17
             */
            readonly uri?: string;
        };
        readonly FieldValidation: {
            /**
             * @description NUMBER: greatest value. MULTI_SELECT: most options.
             * @example 120
             */
            readonly max?: number;
            /**
             * @description TEXT: most characters. Default 500.
             * @example 200
             */
            readonly maxLength?: number;
            /**
             * @description NUMBER: least value. MULTI_SELECT: fewest options.
             * @example 16
             */
            readonly min?: number;
            /**
             * @description TEXT: what it has to be.
             * @example POSTAL_CODE
             */
            readonly pattern?: ("DIGITS" | "LETTERS_AND_DIGITS" | "POSTAL_CODE" | "COUNTRY" | "LANGUAGE") | string;
            /**
             * @description NUMBER: whole numbers only.
             * @example true
             */
            readonly whole?: boolean;
        };
        readonly Frameworks: {
            /**
             * @description Google consent types.
             * @example [
             *       "analytics_storage"
             *     ]
             */
            readonly google: readonly (("ad_storage" | "analytics_storage" | "ad_user_data" | "ad_personalization" | "functionality_storage" | "personalization_storage" | "security_storage") | string)[];
            /** @description IAB TCF. */
            readonly tcf: components["schemas"]["Tcf"];
            /**
             * @description What it does with data in the terms of US state laws, for strings of IAB GPP.
             * @example [
             *       "SALE"
             *     ]
             */
            readonly us: readonly (("SALE" | "SHARING" | "TARGETED_ADVERTISING" | "ADDITIONAL_PROCESSING" | "SENSITIVE_RACE" | "SENSITIVE_RELIGION" | "SENSITIVE_HEALTH" | "SENSITIVE_SEX_LIFE" | "SENSITIVE_CITIZENSHIP" | "SENSITIVE_GENETIC" | "SENSITIVE_BIOMETRIC" | "SENSITIVE_GEOLOCATION" | "SENSITIVE_IDENTIFICATION" | "SENSITIVE_ACCOUNT_ACCESS" | "SENSITIVE_UNION" | "SENSITIVE_MESSAGES" | "SENSITIVE_CONSUMER_HEALTH" | "SENSITIVE_CRIME_VICTIM" | "SENSITIVE_NATIONAL_ORIGIN" | "SENSITIVE_TRANSGENDER") | string)[];
        };
        readonly GlobalOptOut: {
            /**
             * Format: date-time
             * @description Since when; null where it was never named.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly since: string | null;
            /**
             * @description ACTIVE: nothing may be sent on any channel.
             * @example NONE
             */
            readonly state: ("NONE" | "ACTIVE") | string;
        };
        readonly GoogleConsent: {
            /**
             * @description Personalised advertising.
             * @example denied
             */
            readonly ad_personalization: ("granted" | "denied") | string;
            /**
             * @description Storage for advertising.
             * @example denied
             */
            readonly ad_storage: ("granted" | "denied") | string;
            /**
             * @description Sending data about people to Google for advertising.
             * @example denied
             */
            readonly ad_user_data: ("granted" | "denied") | string;
            /**
             * @description Storage for statistics.
             * @example granted
             */
            readonly analytics_storage: ("granted" | "denied") | string;
            /**
             * @description Storage for functions, such as the language.
             * @example granted
             */
            readonly functionality_storage: ("granted" | "denied") | string;
            /**
             * @description Storage for personalisation.
             * @example denied
             */
            readonly personalization_storage: ("granted" | "denied") | string;
            /**
             * @description Storage for security.
             * @example granted
             */
            readonly security_storage: ("granted" | "denied") | string;
        };
        readonly GoogleConsentMode: {
            /** @description What holds until the visitor chooses: for `gtag('consent', 'default', …)`, before any tag. */
            readonly default: components["schemas"]["GoogleConsent"];
            /**
             * @description Where `default` holds: every country (ISO 3166-1) and region (ISO 3166-2) in which the same is demanded as at the place of the subject. Empty where no place is known: leave `region` out then.
             * @example [
             *       "AT",
             *       "DE",
             *       "FR"
             *     ]
             */
            readonly region: readonly string[];
            /** @description What holds of this subject: for `gtag('consent', 'update', …)`, on every page. */
            readonly update: components["schemas"]["GoogleConsent"];
            /**
             * @description How long tags wait for the update, in milliseconds.
             * @example 500
             */
            readonly waitForUpdate: number;
        };
        readonly GoogleDefaults: {
            /**
             * @description What Google’s tags may do before a choice.
             * @example denied
             */
            readonly ad_personalization: ("granted" | "denied") | string;
            /**
             * @description What Google’s tags may do before a choice.
             * @example denied
             */
            readonly ad_storage: ("granted" | "denied") | string;
            /**
             * @description What Google’s tags may do before a choice.
             * @example denied
             */
            readonly ad_user_data: ("granted" | "denied") | string;
            /**
             * @description What Google’s tags may do before a choice.
             * @example denied
             */
            readonly analytics_storage: ("granted" | "denied") | string;
            /**
             * @description What Google’s tags may do before a choice.
             * @example denied
             */
            readonly functionality_storage: ("granted" | "denied") | string;
            /**
             * @description What Google’s tags may do before a choice.
             * @example denied
             */
            readonly personalization_storage: ("granted" | "denied") | string;
            /**
             * @description What Google’s tags may do before a choice.
             * @example denied
             */
            readonly security_storage: ("granted" | "denied") | string;
        };
        readonly GppString: {
            /**
             * @description Ids of the sections that apply at the place. One that applies and is not in the string is one that is not made here: IAB Canada’s, and in `live` that of IAB TCF where the site has named no consent tool.
             * @example [
             *       8
             *     ]
             */
            readonly applicableSections: readonly number[];
            /**
             * @description Whether Global Privacy Control is on, wherever it binds.
             * @example true
             */
            readonly gpc: boolean;
            /**
             * @description The GPP string.
             * @example DBABBg~BVWqqoCA.YA
             */
            readonly gppString: string;
            /**
             * @description The US sections by name, with the fields and values of their specifications: of a notice 1 is given and 2 is not; of an opt-out 1 is opted out and 2 is not; of a consent 1 is none and 2 is given; 0 does not apply. At most 20 keys, 20000 bytes as JSON, 4 levels deep.
             * @example {
             *       "usca": {
             *         "SaleOptOut": 1
             *       }
             *     }
             */
            readonly parsed: {
                readonly [key: string]: unknown;
            };
            /**
             * @description Ids of the sections that are in it.
             * @example [
             *       8
             *     ]
             */
            readonly sectionIds: readonly number[];
        };
        readonly Identifier: {
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
             * @description The first of its kind.
             * @example true
             */
            readonly primary: boolean;
            /**
             * @description Where it came from.
             * @example API
             */
            readonly source: ("API" | "IMPORT" | "MIGRATION") | string;
            /**
             * @description The value, normalised; null once it is forgotten. Operators get it masked.
             * @example ada@example.org
             */
            readonly value: string | null;
            /**
             * @description How it is known.
             * @example DOUBLE_OPT_IN
             */
            readonly verificationMethod: ("DOUBLE_OPT_IN" | "IDENTITY_TOKEN" | "OPERATOR" | "IMPORT") | string | null;
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
        readonly Issue: {
            /**
             * @description What is wrong there.
             * @example is not a published purpose
             */
            readonly message: string;
            /**
             * @description Place in the input.
             * @example records[3].purpose
             */
            readonly path: string;
        };
        readonly IssuePortalToken: {
            /**
             * @description How long it is good for, in seconds. Default: `900`.
             * @example 900
             */
            readonly expiresInSeconds?: number;
            /**
             * @description Language of the portal, BCP 47. Default: that of the browser.
             * @example de-AT
             */
            readonly locale?: string;
            /**
             * @description Where the way back from the portal leads: https, on a domain of the site; in `test` also http on this machine.
             * @example https://demo.example/account
             */
            readonly redirectUrl?: string;
            /**
             * @description All that it allows. Default: all of them that your key has.
             * @example [
             *       "preferences:read",
             *       "preferences:write"
             *     ]
             */
            readonly scopes?: readonly ("consent:read" | "consent:write" | "preferences:read" | "preferences:write" | "receipts:read" | "requests:read" | "requests:write")[];
            /**
             * @description Who may act for themselves with it: `<kind>:<value>` or the id of a subject. A new person becomes a subject.
             * @example email:ada@example.org
             */
            readonly subject: string;
        };
        readonly ItemError: {
            /**
             * @description Error code.
             * @example purpose_unknown
             */
            readonly code: string;
            /**
             * @description How to fix it.
             * @example List the published keys with GET /v1/purposes.
             */
            readonly hint: string;
            /** @description The places. */
            readonly issues: readonly components["schemas"]["Issue"][];
            /**
             * @description What is wrong.
             * @example No purpose with that key is published.
             */
            readonly message: string;
        };
        readonly Jurisdiction: {
            /**
             * @description Country whose law was applied, ISO 3166-1 alpha-2.
             * @example DE
             */
            readonly country: string;
            /**
             * @description Region, ISO 3166-2.
             * @example US-CA
             */
            readonly region?: string;
            /**
             * @description How the place is known.
             * @example DETECTED
             */
            readonly source: ("DETECTED" | "DECLARED" | "DEFAULT") | string;
        };
        readonly JurisdictionInput: {
            /**
             * @description Country whose law was applied, ISO 3166-1 alpha-2.
             * @example DE
             */
            readonly country: string;
            /**
             * @description Region, ISO 3166-2.
             * @example US-CA
             */
            readonly region?: string;
            /**
             * @description How the place is known.
             * @example DETECTED
             * @enum {string}
             */
            readonly source: "DETECTED" | "DECLARED" | "DEFAULT";
        };
        readonly KeptActor: {
            /**
             * @description Who that is; null after erasure.
             * @example agent-17
             */
            readonly id?: string | null;
            /**
             * @description Relationship to the subject; null after erasure.
             * @example parent
             */
            readonly relationship?: string | null;
            /**
             * @description Who decided.
             * @example GUARDIAN
             */
            readonly type: ("SUBJECT" | "GUARDIAN" | "AGENT" | "OPERATOR" | "SYSTEM") | string;
        };
        readonly KeptChange: {
            /**
             * @description False where something newer already stood, or a refusal and this is an undated import; it is history then.
             * @example true
             */
            readonly appliedToState: boolean;
            /**
             * @description Channel of a topic; null for a typed field.
             * @example email
             */
            readonly channel: string | null;
            /**
             * @description Full path of a topic, or key of a typed field.
             * @example channels.email.topics.news
             */
            readonly field: string;
            /**
             * @description How often.
             * @example WEEKLY
             */
            readonly frequency?: string | null;
            /**
             * Format: date-time
             * @description Until when it was to rest.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly pausedUntil?: string | null;
            /**
             * @description State before. SET: a typed field with a value.
             * @example UNSET
             */
            readonly previousState: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "SET") | string;
            /**
             * @description State after. PENDING: wanted, and waiting for the double opt-in.
             * @example PENDING
             */
            readonly state: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "SET") | string;
            /**
             * @description What was asked for; null where only frequency or pause were named, where a field was cleared, and after erasure. At most 32768 bytes as JSON.
             * @example true
             */
            readonly value: boolean | string | number | readonly string[] | null;
        };
        readonly KeptCollection: {
            /**
             * @description Version of the banner that was shown.
             * @example 3
             */
            readonly bannerVersion?: number;
            /** @description What was on the screen, as the element that showed it judged itself before the choice counted. Kept in record and receipt as it came: a claim of the page, not a finding of the service. */
            readonly display?: components["schemas"]["Display"];
            /**
             * @description Language in which the purpose was shown, BCP 47. Decides which text the record names as proof.
             * @example de
             */
            readonly locale?: string;
            /**
             * @description By which act the decision was expressed.
             * @example SAVE_CHOICES
             */
            readonly method: ("ACCEPT_ALL" | "REJECT_ALL" | "SAVE_CHOICES" | "TOGGLE" | "DISMISS" | "CHECKBOX" | "SIGNATURE" | "VERBAL" | "PAPER" | "SIGNAL" | "SCRIPT" | "OPERATOR" | "CONFIRMATION_LINK" | "IMPORT") | string;
            /**
             * @description Content hash of the notice that was shown.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly noticeHash?: string;
            /**
             * @description As it was sent. Only of records from before it was checked, since when `presentation` says what it says; null after erasure.
             * @example eyJhbGciOiJFZERTQSJ9.e30.c2ln
             */
            readonly presentationToken?: string | null;
            /**
             * @description Where it was expressed.
             * @example BANNER
             */
            readonly surface: ("BANNER" | "DIALOG" | "PREFERENCE_CENTER" | "FORM" | "WIDGET" | "APP" | "CTV" | "CALL" | "API") | string;
            /**
             * @description Origin and path of the page; null after erasure.
             * @example https://shop.example/checkout
             */
            readonly url?: string | null;
        };
        readonly KeptEvidence: {
            /**
             * @description Media type.
             * @example image/png
             */
            readonly mediaType?: string;
            /**
             * @description SHA-256 of the document, hex.
             * @example 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly sha256: string;
            /**
             * @description What it is. Well-known values: SCREENSHOT, RECORDING, DOCUMENT, FORM_SNAPSHOT.
             * @example SCREENSHOT
             */
            readonly type: string;
            /**
             * @description Where you keep it; null after erasure.
             * @example https://archive.example/proofs/17
             */
            readonly uri?: string | null;
        };
        readonly KeySet: {
            /** @description The keys of both environments: those that sign, signed, and will sign. Keys are added, never removed. */
            readonly keys: readonly components["schemas"]["SigningKey"][];
        };
        readonly KnownPlace: {
            /**
             * @description ISO 3166-1 alpha-2.
             * @example DE
             */
            readonly country: string;
            /**
             * @description ISO 3166-2; null: the whole country.
             * @example null
             */
            readonly region: string | null;
            /**
             * @description How the request said that the place is known; absent where it did not.
             * @example DECLARED
             */
            readonly source?: ("DETECTED" | "DECLARED" | "DEFAULT") | string;
        };
        readonly MailDelivery: {
            /**
             * @description Attempts it took.
             * @example 1
             */
            readonly attempts: number;
            /**
             * @description Its code.
             * @example 250
             */
            readonly code: string | null;
            /**
             * @description Message-ID.
             * @example <01KAK3V0ZC8W9J2M4N6P8Q0R2S@shop.example>
             */
            readonly messageId: string;
            /**
             * @description Whether a mail server took it.
             * @example ACCEPTED
             */
            readonly outcome: ("ACCEPTED" | "FAILED") | string;
            /**
             * @description Its words, without addresses.
             * @example 2.0.0 Ok: queued
             */
            readonly response: string | null;
        };
        readonly MergeConflict: {
            /**
             * @description The subject whose value stands.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly chosen: string;
            /**
             * @description Preference on which they differ; `vendors.TCF`, `vendors.GOOGLE`: decisions about single vendors.
             * @example channels.email.topics.news
             */
            readonly field?: string;
            /**
             * @description Purpose on which they differ.
             * @example marketing
             */
            readonly purpose?: string;
            /**
             * @description The rule that chose.
             * @example MOST_RESTRICTIVE
             */
            readonly rule: string;
            /** @description What each of them had. */
            readonly values: readonly components["schemas"]["MergeValue"][];
        };
        readonly MergeResult: {
            /** @description Everything on which they differed; empty where they did not. */
            readonly conflicts: readonly components["schemas"]["MergeConflict"][];
            /**
             * @description Whether nothing was done.
             * @example false
             */
            readonly dryRun: boolean;
            /**
             * @description Subjects that are part of it now.
             * @example [
             *       "sub_01KAK3V0ZC8W9J2M4N6P8Q0R2T"
             *     ]
             */
            readonly merged: readonly string[];
            /**
             * @description Id of the merge; what it takes to revert it. Null for a dry run.
             * @example mrg_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly mergeId: string | null;
            /** @description The survivor. */
            readonly target: components["schemas"]["SubjectIdOnly"];
        };
        readonly MergeSubjects: {
            /**
             * @description What stands where they said different things: the refusal, the latest, or the target’s. Default: `MOST_RESTRICTIVE`.
             * @example MOST_RESTRICTIVE
             * @enum {string}
             */
            readonly conflictPolicy?: "MOST_RESTRICTIVE" | "MOST_RECENT" | "TARGET_WINS";
            /**
             * @description Only say what would be merged and which conflicts there are. Default: `false`.
             * @example false
             */
            readonly dryRun?: boolean;
            /**
             * @description Why, for the record. Encrypted, gone after erasure.
             * @example same customer, ticket 4711
             */
            readonly reason?: string;
            /**
             * @description References of the subjects that are absorbed.
             * @example [
             *       "visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90"
             *     ]
             */
            readonly sources: readonly string[];
            /**
             * @description Reference of the subject that survives.
             * @example email:ada@example.org
             */
            readonly target: string;
        };
        readonly MergeValue: {
            /**
             * Format: date-time
             * @description When it was given.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly givenAt: string | null;
            /**
             * @description The state, or for a field that it has a value.
             * @example DENIED
             */
            readonly state: string;
            /**
             * @description Whose value.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly subject: string;
        };
        readonly NewIdentifier: {
            /**
             * @description email, phone, user_id, external_id, visitor_id, device_id, idfa, idfv, gaid or `custom.<slug>`.
             * @example email
             */
            readonly kind: string;
            /**
             * @description Normalised before it is looked up: e-mail trimmed, NFKC, lower case, IDNA domain (dots and plus kept); phone E.164, without a trunk prefix; UUIDs lower case; others trimmed, NFC. What cannot be normalised is refused.
             * @example ada@example.org
             */
            readonly value: string;
            /**
             * @description You know that it is the subject’s own. Default: `false`.
             * @example true
             */
            readonly verified?: boolean;
        };
        readonly Notice: {
            /**
             * @description Content hash of the purpose text in that language.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly contentHash: string;
            /**
             * @description Language of the text in force.
             * @example en
             */
            readonly locale: string;
        };
        readonly OpenDataRequest: {
            /** @description Of a RECTIFICATION: what the requester wants to be put right. */
            readonly corrections?: readonly components["schemas"]["CorrectionInput"][];
            /**
             * @description What exactly, in the requester’s words. Encrypted, gone after erasure.
             * @example Please send me everything since 2024.
             */
            readonly details?: string;
            /** @description Where the requester is: its law sets the dates. Default: where the subject was last, else the subject’s own country, else the strictest rule. */
            readonly jurisdiction?: components["schemas"]["Place"];
            /**
             * @description Language of the requester, BCP 47.
             * @example de-AT
             */
            readonly locale?: string;
            /**
             * Format: date-time
             * @description When it came in; periods begin there. Default: now. At most 5 minutes ahead.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly receivedAt?: string;
            /**
             * @description Short name of the act that the request names. Default: that of the place.
             * @example GDPR
             */
            readonly regulation?: string;
            /** @description Who sent it. Default: the subject. */
            readonly requester?: components["schemas"]["Requester"];
            /**
             * @description How it came in. Default: `API`.
             * @example EMAIL
             * @enum {string}
             */
            readonly source?: "API" | "PORTAL" | "EMAIL" | "PHONE" | "POST";
            /**
             * @description Whose data it is about: `<kind>:<value>`. An unknown reference makes its subject; an id must be known.
             * @example email:ada@example.org
             */
            readonly subject: string;
            /**
             * @description What is requested.
             * @example ACCESS
             * @enum {string}
             */
            readonly type: "ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS" | "OPT_OUT_PROFILING" | "LIMIT_SENSITIVE" | "KNOW_CATEGORIES" | "APPEAL" | "COMPLAINT";
        };
        readonly OptOutChange: {
            /**
             * @description False where something newer already stood.
             * @example true
             */
            readonly appliedToState: boolean;
            /**
             * @description State before.
             * @example NONE
             */
            readonly previousState: ("NONE" | "ACTIVE") | string;
            /**
             * @description State after.
             * @example ACTIVE
             */
            readonly state: ("NONE" | "ACTIVE") | string;
        };
        readonly OverriddenBy: {
            /**
             * Format: date-time
             * @description Since when; null: always.
             * @example null
             */
            readonly effectiveFrom: string | null;
            /**
             * @description Fields that it changed.
             * @example [
             *       "consentValidityDays"
             *     ]
             */
            readonly fields: readonly (("model" | "categories" | "bannerRequired" | "rejectRequired" | "consentValidityDays" | "refusalCooldownDays" | "signals" | "doubleOptIn" | "ageOfDigitalConsent") | string)[];
            /**
             * @description The country or region that the site named.
             * @example DE
             */
            readonly place: string;
            /**
             * @description Who decided it.
             * @example Data protection officer
             */
            readonly who: string;
            /**
             * @description Why.
             * @example The supervisory authority advises half a year.
             */
            readonly why: string;
        };
        readonly Place: {
            /**
             * @description Country whose law holds, ISO 3166-1 alpha-2.
             * @example DE
             */
            readonly country: string;
            /**
             * @description Region, ISO 3166-2.
             * @example US-CA
             */
            readonly region?: string;
            /**
             * @description How the place is known, as in a consent record.
             * @example DECLARED
             * @enum {string}
             */
            readonly source?: "DETECTED" | "DECLARED" | "DEFAULT";
        };
        readonly Policy: {
            /**
             * @description From which age people consent themselves; null where it is not known.
             * @example 16
             */
            readonly ageOfDigitalConsent: number | null;
            /**
             * Format: date
             * @description When the sources were read.
             * @example 2026-11-21
             */
            readonly asOf: string;
            /**
             * @description Whether people must be asked before anything happens.
             * @example true
             */
            readonly bannerRequired: boolean;
            /** @description Every category of purposes. */
            readonly categories: readonly components["schemas"]["CategoryPolicy"][];
            /**
             * @description Longest life of a grant, in days; null where none is known.
             * @example 365
             */
            readonly consentValidityDays: number | null;
            /**
             * @description The country that was asked about; null where none is known.
             * @example DE
             */
            readonly country: string | null;
            /** @description Requests of people about their data. */
            readonly dataRequests: components["schemas"]["RequestPeriods"];
            /**
             * @description Confirmation of addresses by e-mail.
             * @example RECOMMENDED
             */
            readonly doubleOptIn: ("REQUIRED" | "RECOMMENDED" | "NONE") | string;
            /** @description What is not certain. */
            readonly doubts: readonly components["schemas"]["Doubt"][];
            /**
             * Format: date-time
             * @description When it began, at midnight of the place; null where that is not known.
             * @example 2018-05-24T22:00:00.000Z
             */
            readonly effectiveFrom: string | null;
            /**
             * Format: date-time
             * @description When another rule begins; null where none is known.
             * @example null
             */
            readonly effectiveTo: string | null;
            /**
             * @description SHA-256 of what is demanded. Where it differs from that of an earlier answer, people may have to be asked again.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly fingerprint: string;
            /**
             * @description Frameworks whose strings are asked for.
             * @example [
             *       "TCF",
             *       "GPP",
             *       "GOOGLE"
             *     ]
             */
            readonly frameworks: readonly (("TCF" | "GPP" | "GOOGLE") | string)[];
            /**
             * @description Section ids of IAB GPP.
             * @example [
             *       2
             *     ]
             */
            readonly gppSections: readonly number[];
            /**
             * @description Place and first day of the rule; `fallback` where none is known.
             * @example DE.2018-05-25
             */
            readonly id: string;
            /**
             * @description FALLBACK: nothing is known of the place at that time; the strictest rule is answered.
             * @example COUNTRY
             */
            readonly matchedBy: ("REGION" | "COUNTRY" | "FALLBACK") | string;
            /**
             * @description What silence means.
             * @example OPT_IN
             */
            readonly model: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "NONE") | string;
            /**
             * @description Always true: these data are an aid, and no legal advice.
             * @example true
             */
            readonly notLegalAdvice: boolean;
            /**
             * @description What this is.
             * @example policy
             * @enum {string}
             */
            readonly object: "policy";
            /**
             * @description What the site changed in the rule, the weakest first; empty where it is the law’s own.
             * @example []
             */
            readonly overriddenBy: readonly components["schemas"]["OverriddenBy"][];
            /**
             * @description How long a person who refused is not asked again, in days; null where nothing is known of it.
             * @example null
             */
            readonly refusalCooldownDays: number | null;
            /**
             * @description The region whose rule it is; null where it is that of the country.
             * @example null
             */
            readonly region: string | null;
            /**
             * @description Short name of the decisive act; null where none is known.
             * @example GDPR
             */
            readonly regulation: string | null;
            /** @description The acts, the decisive one first. */
            readonly regulations: readonly components["schemas"]["Regulation"][];
            /**
             * @description Whether refusing must be as easy as agreeing, at the first glance.
             * @example true
             */
            readonly rejectRequired: boolean;
            /**
             * @description Whether a lawyer should look at it first: see `doubts`.
             * @example true
             */
            readonly review: boolean;
            /** @description Signals of browsers. */
            readonly signals: components["schemas"]["PolicySignals"];
        };
        readonly PolicySignals: {
            /**
             * @description Global Privacy Control: must be honoured; may be; has no meaning here.
             * @example IGNORED
             */
            readonly gpc: ("BINDING" | "ADVISORY" | "IGNORED") | string;
        };
        readonly PortalToken: {
            /**
             * Format: date-time
             * @description When it ends.
             * @example 2026-11-21T12:15:00.000Z
             */
            readonly expiresAt: string;
            /**
             * @description The token: a JWT signed with EdDSA. Its holder can act for this person until it ends.
             * @example eyJhbGciOiJFZERTQSIsImtpZCI6ImsiLCJ0eXAiOiJjb25zZW50LXBvcnRhbCtqd3QifQ.e30.c2ln
             */
            readonly token: string;
            /**
             * Format: uri
             * @description The portal, with the token in the fragment, which browsers send to no server. It signs in once; give it to this person only.
             * @example https://consent.example/portal/shop/live#eyJhbGciOiJFZERTQSIsImtpZCI6ImsiLCJ0eXAiOiJjb25zZW50LXBvcnRhbCtqd3QifQ.e30.c2ln
             */
            readonly url: string;
        };
        readonly PostalAddress: {
            /**
             * @description Country, ISO 3166-1 alpha-2.
             * @example DE
             */
            readonly addressCountry: string;
            /**
             * @description Town.
             * @example Berlin
             */
            readonly addressLocality?: string;
            /**
             * @description State or province.
             * @example Berlin
             */
            readonly addressRegion?: string;
            /**
             * @description Postal code.
             * @example 10115
             */
            readonly postalCode?: string;
            /**
             * @description Street and number.
             * @example Beispielweg 1
             */
            readonly streetAddress: string;
        };
        readonly PreferenceChange: {
            /**
             * @description False where something newer already stood, or a refusal and this is an undated import; it is history then.
             * @example true
             */
            readonly appliedToState: boolean;
            /**
             * @description Channel of a topic; null for a typed field.
             * @example email
             */
            readonly channel: string | null;
            /**
             * @description Full path of a topic, or key of a typed field.
             * @example channels.email.topics.news
             */
            readonly field: string;
            /**
             * @description State before. SET: a typed field with a value.
             * @example UNSET
             */
            readonly previousState: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "SET") | string;
            /**
             * @description State after. PENDING: wanted, and waiting for the double opt-in.
             * @example PENDING
             */
            readonly state: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "SET") | string;
            /**
             * @description What was asked for; null where only frequency or pause were named, or where a field was cleared. At most 32768 bytes as JSON.
             * @example true
             */
            readonly value: boolean | string | number | readonly string[] | null;
        };
        readonly PreferenceHistory: {
            /** @description Newest first. */
            readonly data: readonly components["schemas"]["PreferenceHistoryItem"][];
            /**
             * @description Whether more may follow.
             * @example false
             */
            readonly hasMore: boolean;
            /**
             * @description Cursor of the next page.
             * @example null
             */
            readonly nextCursor: string | null;
        };
        readonly PreferenceHistoryItem: {
            /** @description Record: who decided. */
            readonly actor?: components["schemas"]["KeptActor"];
            /** @description Record: what was said. */
            readonly changes?: readonly components["schemas"]["KeptChange"][];
            /** @description Record: how it was collected. */
            readonly collection?: components["schemas"]["KeptCollection"];
            /**
             * Format: date-time
             * @description Confirmation: when the owner of the address said so.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly confirmedAt?: string;
            /** @description Mail: what became of it. */
            readonly delivery?: components["schemas"]["MailDelivery"];
            /**
             * @description Record, request: requests for confirmation that it ended.
             * @example []
             */
            readonly endedRequests?: readonly string[];
            /**
             * @description Id of the event in the log.
             * @example 0b5d6d0e-5b0a-5d3c-9a5e-7c1b2d4e8f90
             */
            readonly eventId: string;
            /**
             * Format: date-time
             * @description Request: when its link runs out. Running out: when it did.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly expiresAt?: string;
            /** @description Request, confirmation, running out: the topics. */
            readonly fields?: readonly components["schemas"]["ConfirmedField"][];
            /**
             * Format: date-time
             * @description Record: when it was said.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly givenAt?: string;
            /** @description Record: what became of the global opt-out. */
            readonly globalOptOut?: components["schemas"]["OptOutChange"];
            /**
             * @description Id of the record; of the request for a request, its mail and its running out.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /** @description Request: the mail, where the service sends it. */
            readonly mail?: components["schemas"]["RequestedMail"];
            /**
             * @description The subject whose stream it came from, where subjects were merged.
             * @example null
             */
            readonly mergedFrom: string | null;
            /**
             * @description Record: your own facts; null after erasure. At most 20 keys, 4096 bytes as JSON, 4 levels deep.
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            readonly metadata?: {
                readonly [key: string]: unknown;
            } | null;
            /**
             * @description Something said; a request for confirmation, what became of its mail, its confirmation, or its running out.
             * @example preference_record
             */
            readonly object: ("preference_record" | "preference_confirmation_request" | "preference_confirmation_mail" | "preference_confirmation" | "preference_confirmation_expiry") | string;
            /** @description Record: what was shown, as its presentation token stated it. */
            readonly presentation?: components["schemas"]["Presentation"];
            /** @description What the request itself showed, minimised. */
            readonly provenance?: components["schemas"]["Provenance"];
            /**
             * @description Id of the receipt, where there is one.
             * @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly receiptId: string | null;
            /**
             * Format: date-time
             * @description When the service recorded it.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly recordedAt: string;
            /**
             * @description Request: where the click leads; null after erasure.
             * @example https://shop.example/thanks
             */
            readonly redirectUrl?: string | null;
            /**
             * @description Confirmation: id of its request.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly requestId?: string;
            /**
             * @description Place in the subject’s history, counted from 0.
             * @example 2
             */
            readonly sequence: number;
            /**
             * @description Record: who asserts it.
             * @example API
             */
            readonly source?: ("API" | "IMPORT" | "MIGRATION") | string;
            /** @description Record, request: the template in force. */
            readonly template?: components["schemas"]["TemplateShown"];
            /** @description Request: the text that the recipient reads, word for word. */
            readonly text?: components["schemas"]["ConfirmationText"];
            /**
             * @description True of an import or a migration without a date: `givenAt` is when it was recorded.
             * @example true
             */
            readonly undated?: boolean;
            /**
             * @description Record: id of the record by a link that it takes back.
             * @example rec_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly undoes?: string;
            /**
             * @description Confirmation: by the page behind the link, or by a program.
             * @example PAGE
             */
            readonly via?: ("PAGE" | "API") | string;
        };
        readonly PreferenceRecord: {
            /** @description One for each value, in the order of the request. */
            readonly changes: readonly components["schemas"]["PreferenceChange"][];
            /**
             * Format: date-time
             * @description When it was said.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly givenAt: string;
            /** @description What became of the global opt-out; null where it was not named. */
            readonly globalOptOut: components["schemas"]["OptOutChange"] | null;
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
             * @description With it the receipt can be read without a key, from every origin: `GET /v1/receipts/{id}?token=`.
             * @example rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4
             */
            readonly receiptToken: string;
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
             */
            readonly source: ("API" | "IMPORT" | "MIGRATION") | string;
            /** @description Whose preferences. */
            readonly subject: components["schemas"]["SubjectIdOnly"];
        };
        readonly Preferences: {
            /** @description Every channel of the template. */
            readonly channels: {
                readonly [key: string]: components["schemas"]["ChannelPreferences"];
            };
            /** @description Typed fields that have a value, by key. */
            readonly fields: {
                readonly [key: string]: components["schemas"]["TypedField"];
            };
            /** @description Whether anything may be sent at all. */
            readonly globalOptOut: components["schemas"]["GlobalOptOut"];
            /**
             * @description Revision of the subject’s stream that the answer reflects; -1 before anything was said.
             * @example 2
             */
            readonly revision: number;
            /** @description The subject. */
            readonly subject: components["schemas"]["ReaderSubject"];
            /**
             * Format: date-time
             * @description Last change; null where nothing was ever said.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly updatedAt: string | null;
        };
        readonly PreferenceTemplate: {
            /**
             * @description Languages it can be had in.
             * @example [
             *       "de",
             *       "en"
             *     ]
             */
            readonly availableLocales: readonly string[];
            /** @description What this version changed. */
            readonly change: components["schemas"]["TemplateChange"] | null;
            /** @description Channels. */
            readonly channels: readonly components["schemas"]["TemplateChannel"][];
            /**
             * @description SHA-256 of exactly this version in exactly this language.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly contentHash: string;
            /**
             * Format: date-time
             * @description From when it is in force.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly effectiveFrom: string | null;
            /**
             * @description The language served; `und` of version 0.
             * @example en
             */
            readonly locale: string;
            /**
             * @description What this is.
             * @example preference_template
             * @enum {string}
             */
            readonly object: "preference_template";
            /**
             * Format: date-time
             * @description When it was published.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly publishedAt: string | null;
            /** @description Sections, in the order in which they are to be shown. */
            readonly sections: readonly components["schemas"]["TemplateSection"][];
            /**
             * @description Version, from 1. 0 where none was published: there are no channels and sections then.
             * @example 1
             */
            readonly version: number;
        };
        readonly PreferenceValue: {
            /**
             * @description Key of a field of the template; a topic, with `channel` beside `values`; or its full path `channels.<channel>.topics.<topic>`.
             * @example channels.email.topics.news
             */
            readonly field: string;
            /**
             * @description How often, one of the options of the topic; null for no wish.
             * @example WEEKLY
             */
            readonly frequency?: string | null;
            /**
             * Format: date-time
             * @description The topic rests until then; null ends a pause.
             * @example 2027-01-01T00:00:00.000Z
             */
            readonly pausedUntil?: string | null;
            /**
             * @description What is wanted: true or false for a topic; for a typed field what the template takes, null to clear it. At most 32768 bytes as JSON.
             * @example true
             */
            readonly value?: boolean | string | number | readonly unknown[] | null;
        };
        readonly Presentation: {
            /** @description The banner. */
            readonly banner: components["schemas"]["ShownBanner"];
            /** @description Its buttons, in their order. */
            readonly buttons: readonly components["schemas"]["BannerButton"][];
            /** @description The rule of the place that decided it. */
            readonly policy: components["schemas"]["ShownPolicy"];
            /** @description All purposes that were asked for, in their order. */
            readonly purposes: readonly components["schemas"]["ShownPurpose"][];
            /**
             * Format: date-time
             * @description At this moment exactly this was shown; it was seen up to 20 minutes later.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly shownAt: string;
        };
        readonly Provenance: {
            /** @description The identity token that vouched for the subject; absent where none was needed. */
            readonly identity?: components["schemas"]["Vouched"];
            /**
             * @description Address, truncated to /24 or /48 before it was stored; null after erasure.
             * @example 203.0.113.0
             */
            readonly ip?: string | null;
            /**
             * @description The API key that was used, or the operator who acted; `system:` and what, where the service did.
             * @example key_4Zt8nXq2LmPa
             */
            readonly keyId: string;
            /**
             * @description Origin of the browser.
             * @example https://shop.example
             */
            readonly origin?: string;
            /**
             * @description Family and major version; null after erasure.
             * @example Firefox 140
             */
            readonly userAgent?: string | null;
        };
        readonly Purpose: {
            /**
             * @description Languages it can be had in.
             * @example [
             *       "de",
             *       "en"
             *     ]
             */
            readonly availableLocales: readonly string[];
            /**
             * @description Category.
             * @example ANALYTICS
             */
            readonly category: ("NECESSARY" | "FUNCTIONAL" | "ANALYTICS" | "MARKETING" | "PERSONALIZATION" | "SOCIAL" | "SALE_SHARE" | "SENSITIVE" | "COMMUNICATION" | "OTHER") | string;
            /** @description What this version changed. */
            readonly change: components["schemas"]["PurposeChange"];
            /**
             * @description What silence means.
             * @example OPT_IN
             */
            readonly consentModel: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "ALWAYS_ON") | string;
            /**
             * @description SHA-256 of exactly this version in exactly this language; records name it as proof of what was shown.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly contentHash: string;
            /** @description The controller. */
            readonly controller: components["schemas"]["Controller"];
            /**
             * @description Cookies that are set for it.
             * @example [
             *       "_stat"
             *     ]
             */
            readonly cookies: readonly string[];
            /** @description Personal data that is processed. */
            readonly dataCategories: readonly components["schemas"]["DataCategory"][];
            /**
             * @description Description, in the language served.
             * @example Counts visits so that we can improve the shop.
             */
            readonly description: string;
            /**
             * Format: date-time
             * @description From when it is in force.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly effectiveFrom: string;
            /** @description Counterparts in other frameworks. */
            readonly frameworks: components["schemas"]["Frameworks"];
            /**
             * @description Whether Global Privacy Control reaches this purpose.
             * @example false
             */
            readonly gpc: boolean;
            /**
             * @description Key of the purpose.
             * @example analytics
             */
            readonly key: string;
            /**
             * @description GDPR art. 6(1).
             * @example CONSENT
             */
            readonly legalBasis: ("CONSENT" | "CONTRACT" | "LEGAL_OBLIGATION" | "VITAL_INTERESTS" | "PUBLIC_TASK" | "LEGITIMATE_INTERESTS") | string;
            /**
             * @description Legal text, in the language served.
             * @example We process usage data on the basis of your consent.
             */
            readonly legalText: string;
            /**
             * @description The language served.
             * @example en
             */
            readonly locale: string;
            /**
             * @description Name, in the language served.
             * @example Statistics
             */
            readonly name: string;
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
            /** @description Who receives it. */
            readonly recipients: readonly components["schemas"]["Recipient"][];
            /**
             * @description How long it is kept, ISO 8601 duration.
             * @example P14M
             */
            readonly retention: string | null;
            /**
             * @description DRAFT: published, but in force only later. RETIRED: takes no new grants.
             * @example PUBLISHED
             */
            readonly status: ("DRAFT" | "PUBLISHED" | "RETIRED") | string;
            /**
             * @description Longest life of a grant, in days.
             * @example 365
             */
            readonly validityDays: number | null;
            /**
             * @description Version, from 1.
             * @example 1
             */
            readonly version: number;
        };
        readonly PurposeChange: {
            /**
             * @description The version before; null for the first.
             * @example 1
             */
            readonly from: number | null;
            /**
             * @description MATERIAL: earlier grants want renewal.
             * @example MATERIAL
             */
            readonly kind: ("MATERIAL" | "EDITORIAL") | string;
            /**
             * @description What changed.
             * @example First version.
             */
            readonly summary: string;
        };
        readonly PurposeList: {
            /** @description By key; versions of one purpose by number. */
            readonly data: readonly components["schemas"]["Purpose"][];
            /**
             * @description Whether there are more.
             * @example false
             */
            readonly hasMore: boolean;
            /**
             * @description Where to go on; null on the last page.
             * @example null
             */
            readonly nextCursor: string | null;
        };
        readonly PurposeState: {
            /**
             * @description What may be done.
             * @example ALLOWED
             */
            readonly effective: ("ALLOWED" | "BLOCKED") | string;
            /**
             * @description Why.
             * @example EXPLICIT
             */
            readonly effectiveReason: ("EXPLICIT" | "POLICY_DEFAULT" | "SIGNAL_GPC" | "LEGAL_BASIS" | "EXPIRED" | "RENEWAL_REQUIRED" | "NEVER_ASKED" | "ERASED") | string;
            /**
             * Format: date-time
             * @description When it ends.
             * @example 2027-11-21T12:00:00.000Z
             */
            readonly expiresAt: string | null;
            /**
             * Format: date-time
             * @description When it was decided.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly givenAt: string | null;
            /**
             * @description Version that was decided on.
             * @example 1
             */
            readonly purposeVersion: number | null;
            /**
             * @description Id of the receipt.
             * @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly receiptId: string | null;
            /**
             * Format: date-time
             * @description When it was recorded.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly recordedAt: string | null;
            /** @description Whether it wants renewal. */
            readonly renewal: components["schemas"]["Renewal"];
            /**
             * @description Who asserts it.
             * @example API
             */
            readonly source: ("API" | "IMPORT" | "MIGRATION") | string | null;
            /**
             * @description What was said.
             * @example GRANTED
             */
            readonly state: ("GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED" | "PENDING" | "EXPIRED" | "NOT_COLLECTED") | string;
        };
        readonly ReachedState: {
            /**
             * Format: date-time
             * @description Since when.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly at: string;
            /**
             * @description State.
             * @example RECEIVED
             */
            readonly state: ("RECEIVED" | "AWAITING_VERIFICATION" | "VERIFIED" | "IN_PROGRESS" | "ON_HOLD" | "COMPLETED" | "PARTIALLY_COMPLETED" | "REJECTED" | "CANCELED" | "EXPIRED" | "DUPLICATE") | string;
        };
        readonly ReaderSubject: {
            /**
             * @description Id of the subject; null where nothing was ever recorded for the reference.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string | null;
        };
        readonly Receipt: {
            /**
             * @description Compact JWS (EdDSA) over the canonical JSON (RFC 8785) of `receipt`; verify it with /.well-known/jwks.json.
             * @example eyJhbGciOiJFZERTQSJ9.e30.AAAA
             */
            readonly jws: string;
            /** @description The receipt. Of a record: `schema`, `id`, `record`, `issuer`, `site`, `environment`, `subject` (a pseudonym), `controllers`, `jurisdiction`, `event`, `purposes` with version, legal basis and previous receipt, `preferences`, `vendors`, `gpc`, `notice` with the hash of the text, `display` where the page said how it was on the screen, `evidence`, `withdrawal`. Of an erasure: what `eraseSubject` answered. At most 40 keys, 200000 bytes as JSON, 6 levels deep. */
            readonly receipt: {
                readonly [key: string]: unknown;
            };
            /**
             * Format: date-time
             * @description When the subject was erased; null while it was not. The receipt is the same before and after: what was personal in the record was never in it.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly subjectErasedAt: string | null;
        };
        readonly Recipient: {
            /**
             * @description Country, ISO 3166-1.
             * @example IE
             */
            readonly country?: string;
            /**
             * @description Who receives the data.
             * @example Example Analytics Ltd
             */
            readonly name: string;
            /**
             * @description In which role.
             * @example PROCESSOR
             */
            readonly role: ("CONTROLLER" | "PROCESSOR" | "THIRD_PARTY") | string;
        };
        readonly RecordBatch: {
            /**
             * @description Validate and answer as if, without recording. An item whose own key was answered before is REPLAYED with its record. Default: `false`.
             * @example false
             */
            readonly dryRun?: boolean;
            /**
             * @description PARTIAL records what it can. ATOMIC validates every record first and appends nothing if one is refused; the append itself is atomic per subject. Default: `PARTIAL`.
             * @example PARTIAL
             * @enum {string}
             */
            readonly mode?: "PARTIAL" | "ATOMIC";
            /** @description The records. Those of one subject are appended together or not at all. With PARTIAL one that does not fit is refused by itself. */
            readonly records: readonly components["schemas"]["BatchItem"][];
        };
        readonly RecordConsent: {
            /** @description Who decided. Default: the subject. */
            readonly actor?: components["schemas"]["Actor"];
            /** @description How it was collected. */
            readonly collection?: components["schemas"]["Collection"];
            /**
             * @description The decision. OBJECTED only on LEGITIMATE_INTERESTS or OPT_OUT; ACKNOWLEDGED only for NOTICE_ONLY; WITHDRAWN is always possible.
             * @example GRANTED
             * @enum {string}
             */
            readonly decision: "GRANTED" | "DENIED" | "WITHDRAWN" | "OBJECTED" | "ACKNOWLEDGED";
            /** @description Documents that prove the decision, by hash. */
            readonly evidence?: readonly components["schemas"]["Evidence"][];
            /**
             * Format: date-time
             * @description When the grant ends. Default, and latest: what the purpose allows.
             * @example 2027-11-21T12:00:00.000Z
             */
            readonly expiresAt?: string;
            /**
             * Format: date-time
             * @description When it was decided. Default now; at most 5 minutes ahead, and at most 24 hours back unless IMPORT or MIGRATION.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly givenAt?: string;
            /**
             * @description How many seconds ago it was decided, for callers whose clock cannot be trusted: the service dates it by its own. At most a day. Instead of givenAt, never beside it. It may differ between tries of one request: an Idempotency-Key does not count it.
             * @example 90
             */
            readonly givenSecondsAgo?: number;
            /** @description Place whose law was applied. */
            readonly jurisdiction?: components["schemas"]["JurisdictionInput"];
            /**
             * @description Your own facts about the record. Encrypted, gone after erasure. At most 20 keys, 4096 bytes as JSON, 4 levels deep.
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            /**
             * @description Key of a published purpose.
             * @example analytics
             */
            readonly purpose: string;
            /**
             * @description Version of the purpose that was shown. Default: the current one.
             * @example 1
             */
            readonly purposeVersion?: number;
            /** @description Privacy signals of the browser. */
            readonly signals?: components["schemas"]["SignalsInput"];
            /**
             * @description IMPORT and MIGRATION: the caller asserts the record rather than the subject; they need a secret key. Default: `API`.
             * @example API
             * @enum {string}
             */
            readonly source?: "API" | "IMPORT" | "MIGRATION";
            /**
             * @description Whose decision: `<kind>:<value>`.
             * @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90
             */
            readonly subject: string;
            /** @description Choices for single vendors. */
            readonly vendors?: readonly components["schemas"]["VendorInput"][];
        };
        readonly Regulation: {
            /**
             * @description Short name.
             * @example GDPR
             */
            readonly key: string;
            /**
             * @description Name.
             * @example General Data Protection Regulation (EU) 2016/679
             */
            readonly name: string;
            /**
             * @description Article, or who says so.
             * @example art. 6, 7, 12 to 22, 99(2)
             */
            readonly source: string;
        };
        readonly Renewal: {
            /**
             * @description Why.
             * @example null
             */
            readonly reason: ("PURPOSE_VERSION_CHANGED" | "EXPIRED" | "VENDORS_ASK_MORE") | string | null;
            /**
             * @description Whether to ask again.
             * @example false
             */
            readonly required: boolean;
        };
        readonly RequestClock: {
            /**
             * Format: date-time
             * @description Since when it stands still; null: it does not.
             * @example null
             */
            readonly pausedSince: string | null;
            /**
             * @description Whether the period runs.
             * @example true
             */
            readonly running: boolean;
        };
        readonly RequestConfirmation: {
            /**
             * @description Channel of the topics.
             * @example email
             */
            readonly channel?: string;
            /**
             * @description Language of mail and page. Default: the subject’s, then the site’s.
             * @example de-AT
             */
            readonly locale?: string;
            /**
             * @description Where the browser goes after the click: https, on a domain of the site; in `test` also http on this machine.
             * @example https://demo.example/thanks
             */
            readonly redirectUrl: string;
            /**
             * @description Whose preferences: `<kind>:<value>`.
             * @example email:ada@example.org
             */
            readonly subject: string;
            /**
             * @description The subject’s own e-mail address: then the service mails the link. Without it you pass on `confirmUrl`.
             * @example ada@example.org
             */
            readonly to?: string;
            /** @description What is to be confirmed: topics of one channel. */
            readonly values: readonly components["schemas"]["WantedTopic"][];
        };
        readonly RequestedMail: {
            /**
             * @description Id of the identifier that it goes to.
             * @example idn_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly identifierId: string;
            /**
             * @description Message-ID.
             * @example <01KAK3V0ZC8W9J2M4N6P8Q0R2S@shop.example>
             */
            readonly messageId: string;
            /**
             * @description Subject line.
             * @example Please confirm
             */
            readonly subject: string;
        };
        readonly RequestEffect: {
            /** @description ARCHIVE: what was handed out. */
            readonly archive?: components["schemas"]["Archive"];
            /** @description RECTIFICATION: ids of the identifiers that were added. */
            readonly identifierIds?: readonly string[];
            /**
             * @description What was done here. NONE: nothing was to be done in this service. DECISIONS: consents and preferences were refused.
             * @example ERASURE
             */
            readonly kind: ("NONE" | "ERASURE" | "RESTRICTION" | "RECTIFICATION" | "DECISIONS" | "ARCHIVE") | string;
            /**
             * @description ERASURE: id of its receipt.
             * @example rct_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly receiptId?: string;
            /** @description DECISIONS: ids of the records. RECTIFICATION: of the record of preferences. */
            readonly recordIds?: readonly string[];
            /** @description RECTIFICATION: what else of the subject was put right: `locale`, `country`. */
            readonly rectified?: readonly string[];
            /** @description RECTIFICATION: ids of those that were removed. */
            readonly removedIdentifierIds?: readonly string[];
        };
        readonly Requester: {
            /**
             * @description Where the requester is answered. Encrypted, gone after erasure.
             * @example ada@example.org
             */
            readonly email?: string;
            /**
             * @description What shows that the requester may act for the subject: a reference to the mandate or the proof of custody, never the document. Required of agents and guardians. Encrypted, gone after erasure.
             * @example mandate 2026-17, signed 2026-11-02
             */
            readonly evidence?: string;
            /**
             * @description Name. Encrypted, gone after erasure.
             * @example Ada L.
             */
            readonly name?: string;
            /**
             * @description Who sent the request: the subject, or a person who acts for the subject.
             * @example SELF
             * @enum {string}
             */
            readonly type: "SELF" | "AGENT" | "GUARDIAN";
        };
        readonly RequestNote: {
            /**
             * Format: date-time
             * @description When it was written down.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly at: string;
            /**
             * @description Who did: `operator:<id>`, or the id of a secret key.
             * @example operator:opt_4Zt8nXq2LmPa
             */
            readonly by: string;
            /**
             * @description What was written; null once it is forgotten.
             * @example Called, no answer.
             */
            readonly text: string | null;
        };
        readonly RequestPeriod: {
            /**
             * @description Whether the period stands still while the controller waits for what it needs from the requester.
             * @example false
             */
            readonly clockStops: boolean;
            /**
             * @description How many of the unit; null where the law sets no period, or none is known.
             * @example 1
             */
            readonly dueDays: number | null;
            /**
             * @description By how much it can be extended, in the same unit; null where it cannot, or nothing is known.
             * @example 2
             */
            readonly extensionDays: number | null;
            /**
             * @description The rule, as `GET /v1/policy` names it.
             * @example DE.always
             */
            readonly rule: string;
            /**
             * @description Periods of 24 hours end at their minute, all others at the end of a day.
             * @example MONTHS
             */
            readonly unit: ("MONTHS" | "CALENDAR_DAYS" | "BUSINESS_DAYS" | "PERIODS_OF_24_HOURS") | string;
        };
        readonly RequestPeriods: {
            /**
             * @description Within what the receipt of a request is confirmed; null where nothing is known of it.
             * @example null
             */
            readonly acknowledgement: components["schemas"]["Acknowledgement"] | null;
            /**
             * @description Whether the period stands still while the controller waits for what it needs from the person.
             * @example false
             */
            readonly clockStops: boolean;
            /**
             * @description How many of the unit; null where the law sets no period, or none is known.
             * @example 1
             */
            readonly dueDays: number | null;
            /**
             * @description Requests with a period of their own.
             * @example []
             */
            readonly exceptions: readonly components["schemas"]["TypedPeriod"][];
            /**
             * @description By how much it can be extended, in the same unit; null where it cannot, or nothing is known.
             * @example 2
             */
            readonly extensionDays: number | null;
            /**
             * @description Requests that the sources name; others can exist all the same.
             * @example [
             *       "ACCESS",
             *       "ERASURE"
             *     ]
             */
            readonly types: readonly (("ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS") | string)[];
            /**
             * @description Periods of 24 hours end at their minute, all others at the end of a day.
             * @example MONTHS
             */
            readonly unit: ("MONTHS" | "CALENDAR_DAYS" | "BUSINESS_DAYS" | "PERIODS_OF_24_HOURS") | string;
        };
        readonly RequestVerification: {
            /**
             * Format: date-time
             * @description Until when the requester can prove it, before the request expires; null: no proof was asked for.
             * @example null
             */
            readonly expiresAt: string | null;
            /**
             * @description How; null: it is not.
             * @example OPERATOR
             */
            readonly method: ("EMAIL_CODE" | "IDENTITY_TOKEN" | "PORTAL_TOKEN" | "OPERATOR" | "DOCUMENT") | string | null;
            /**
             * @description Why an operator has to find out whether the subject sent it. ADDRESS_NOT_VERIFIED: a code that was mailed to an address of the subject was entered, but that address is not verified, and others of the subject are. Null: it is known, or nothing was proved.
             * @example null
             * @enum {string|null}
             */
            readonly reason: "ADDRESS_NOT_VERIFIED" | null;
            /**
             * @description Whether it is known that the subject sent it.
             * @example VERIFIED
             */
            readonly status: ("NOT_REQUIRED" | "PENDING" | "VERIFIED") | string;
            /**
             * Format: date-time
             * @description Since when; null: it is not.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly verifiedAt: string | null;
        };
        readonly RuleOfPlace: {
            /**
             * @description What is shown there, by language: keys of `contents`.
             * @example {
             *       "en": "sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
             *     }
             */
            readonly contents: {
                readonly [key: string]: string;
            };
            /**
             * @description Country, ISO 3166-1 alpha-2; null: any place that no other rule is for.
             * @example DE
             */
            readonly country: string | null;
            /** @description Google consent mode. */
            readonly google: components["schemas"]["BannerGoogle"];
            /** @description IAB GPP. */
            readonly gpp: components["schemas"]["BannerGpp"];
            /** @description The policy, as GET /v1/policy answers it. */
            readonly policy: components["schemas"]["Policy"];
            /**
             * @description Region, ISO 3166-2; null: the whole country, but for regions with a rule of their own.
             * @example null
             */
            readonly region: string | null;
            /** @description IAB TCF. */
            readonly tcf: components["schemas"]["TcfAtPlace"];
        };
        readonly SetPreferences: {
            /** @description Who decided. Default: the subject. */
            readonly actor?: components["schemas"]["Actor"];
            /**
             * @description Channel of the topics that are named without one.
             * @example email
             */
            readonly channel?: string;
            /** @description How it was collected. */
            readonly collection?: components["schemas"]["Collection"];
            /**
             * Format: date-time
             * @description When it was said. Default now; at most 5 minutes ahead, and at most 24 hours back unless IMPORT or MIGRATION.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly givenAt?: string;
            /**
             * @description How many seconds ago it was decided, for callers whose clock cannot be trusted: the service dates it by its own. At most a day. Instead of givenAt, never beside it. It may differ between tries of one request: an Idempotency-Key does not count it.
             * @example 90
             */
            readonly givenSecondsAgo?: number;
            /**
             * @description true: nothing is sent on any channel, whatever its topics say, until it is set to false again. Ends every open request for confirmation.
             * @example false
             */
            readonly globalOptOut?: boolean;
            /**
             * @description Your own facts about the record. Encrypted, gone after erasure. At most 20 keys, 4096 bytes as JSON, 4 levels deep.
             * @example {
             *       "campaign": "autumn"
             *     }
             */
            readonly metadata?: {
                readonly [key: string]: unknown;
            };
            /**
             * @description IMPORT and MIGRATION: the caller asserts the record rather than the subject, double opt-in included; they need a secret key. Default: `API`.
             * @example API
             * @enum {string}
             */
            readonly source?: "API" | "IMPORT" | "MIGRATION";
            /**
             * @description Whose preferences: `<kind>:<value>`.
             * @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90
             */
            readonly subject: string;
            /** @description Each field once. All of them are recorded together or none is. */
            readonly values?: readonly components["schemas"]["PreferenceValue"][];
        };
        readonly ShownBanner: {
            /**
             * @description Of its texts, buttons, links and looks: GET /v1/notices/{hash}.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly contentHash: string;
            /**
             * @description Its language.
             * @example en
             */
            readonly locale: string;
            /**
             * @description What the policy asked for.
             * @example OPT_IN
             */
            readonly presentation: ("OPT_IN" | "OPT_OUT" | "NOTICE_ONLY" | "NONE") | string;
            /**
             * @description Version of the banner.
             * @example 1
             */
            readonly version: number;
        };
        readonly ShownPolicy: {
            /**
             * Format: date
             * @description When its sources were read.
             * @example 2026-11-21
             */
            readonly asOf: string;
            /**
             * @description Country that it was looked up for.
             * @example DE
             */
            readonly country: string | null;
            /**
             * @description Of what was demanded, what the site changed included.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly fingerprint: string;
            /**
             * @description The rule of law, as GET /v1/policy names it.
             * @example DE.2018-05-25
             */
            readonly id: string;
            /**
             * @description By what it was found.
             * @example COUNTRY
             */
            readonly matchedBy: ("REGION" | "COUNTRY" | "FALLBACK") | string;
            /**
             * @description Region whose rule it is.
             * @example null
             */
            readonly region: string | null;
        };
        readonly ShownPurpose: {
            /**
             * @description Of its texts and terms: GET /v1/notices/{hash}.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly contentHash: string;
            /**
             * @description What held until the visitor chose.
             * @example DENIED
             */
            readonly default: ("GRANTED" | "DENIED") | string;
            /**
             * @description Key of the purpose.
             * @example analytics
             */
            readonly key: string;
            /**
             * @description Language of its texts.
             * @example en
             */
            readonly locale: string;
            /**
             * @description Version that was shown.
             * @example 1
             */
            readonly version: number;
        };
        readonly ShownRequester: {
            /**
             * @description Address; null: not said, or forgotten. Operators get it masked.
             * @example null
             */
            readonly email: string | null;
            /**
             * @description Evidence; null: not said, or forgotten.
             * @example null
             */
            readonly evidence: string | null;
            /**
             * @description Name; null: not said, or forgotten.
             * @example null
             */
            readonly name: string | null;
            /**
             * @description Who sent it.
             * @example SELF
             */
            readonly type: ("SELF" | "AGENT" | "GUARDIAN") | string;
        };
        readonly Signals: {
            /**
             * @description Do Not Track; kept as evidence only.
             * @example false
             */
            readonly dnt?: boolean;
            /**
             * @description Global Privacy Control. `Sec-GPC: 1` on a request with a public key counts as true.
             * @example true
             */
            readonly gpc?: boolean;
        };
        readonly SignalsInput: {
            /**
             * @description Do Not Track; kept as evidence only.
             * @example false
             */
            readonly dnt?: boolean;
            /**
             * @description Global Privacy Control. `Sec-GPC: 1` on a request with a public key counts as true.
             * @example true
             */
            readonly gpc?: boolean;
        };
        readonly SigningKey: {
            /**
             * @description Curve.
             * @example Ed25519
             * @enum {string}
             */
            readonly crv: "Ed25519";
            /**
             * @description RFC 7638 thumbprint of the key; the `kid` in the header of what it signed.
             * @example kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k
             */
            readonly kid: string;
            /**
             * @description Key type (RFC 8037).
             * @example OKP
             * @enum {string}
             */
            readonly kty: "OKP";
            /**
             * Format: date-time
             * @description Since when the key counts as compromised; absent where it does not. A receipt that it signed proves nothing by itself any more.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly revokedAt?: string;
            /**
             * Format: date-time
             * @description It signs what is recorded from then on; absent of the first key of an environment, which signs from the beginning.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly signsFrom?: string;
            /**
             * @description For signatures.
             * @example sig
             * @enum {string}
             */
            readonly use: "sig";
            /**
             * @description Public key, 32 bytes in base64url.
             * @example 11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo
             */
            readonly x: string;
        };
        readonly Subject: {
            /**
             * @description Country, ISO 3166-1.
             * @example DE
             */
            readonly country: string | null;
            /**
             * Format: date-time
             * @description When it was first seen.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly createdAt: string | null;
            /**
             * @description Id of the subject; random, says nothing.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
            /** @description Its identifiers and those of the subjects merged into it. */
            readonly identifiers: readonly components["schemas"]["Identifier"][];
            /**
             * @description Language, BCP 47.
             * @example de-AT
             */
            readonly locale: string | null;
            /**
             * @description The subject that it is part of.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly mergedInto: string | null;
            /**
             * @description Your own facts. At most 20 keys, 4096 bytes as JSON, 4 levels deep.
             * @example {
             *       "tier": "gold"
             *     }
             */
            readonly metadata: {
                readonly [key: string]: unknown;
            };
            /**
             * @description What this is.
             * @example subject
             * @enum {string}
             */
            readonly object: "subject";
            /**
             * Format: date-time
             * @description When the legal hold ends; null where it has no end, or there is none.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly restrictedUntil: string | null;
            /**
             * @description MERGED: part of `mergedInto`. RESTRICTED: under a legal hold, nothing may be erased. ERASED: only this marker is left.
             * @example ACTIVE
             */
            readonly state: ("ACTIVE" | "MERGED" | "RESTRICTED" | "ERASED") | string;
            /**
             * Format: date-time
             * @description Last change of the subject itself.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly updatedAt: string | null;
        };
        readonly SubjectId: {
            /**
             * @description Id of the subject.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
        };
        readonly SubjectIdOnly: {
            /**
             * @description Id of the subject.
             * @example sub_01KAK3V0ZC8W9J2M4N6P8Q0R2S
             */
            readonly id: string;
        };
        readonly TcCustomBits: {
            /**
             * @description Consent, by place in `customPurposes`.
             * @example {
             *       "1": true
             *     }
             */
            readonly consents: {
                readonly [key: string]: boolean;
            };
            /**
             * @description Legitimate interest, by place in `customPurposes`.
             * @example {}
             */
            readonly legitimateInterests: {
                readonly [key: string]: boolean;
            };
        };
        readonly TcData: {
            /**
             * @description Id of the consent tool.
             * @example 300
             */
            readonly cmpId: number;
            /**
             * @description Its version.
             * @example 4
             */
            readonly cmpVersion: number;
            /**
             * @description Whether the place is one in which IAB TCF is used.
             * @example true
             */
            readonly gdprApplies: boolean;
            /**
             * @description Always true: for the services of this site alone.
             * @example true
             */
            readonly isServiceSpecific: boolean;
            /** @description Of the publisher. */
            readonly publisher: components["schemas"]["TcPublisher"];
            /**
             * @description Country of the publisher; `AA` where it named none.
             * @example DE
             */
            readonly publisherCC: string;
            /** @description By purpose. */
            readonly purpose: components["schemas"]["TcPurposeBits"];
            /**
             * @description Always false: purpose 1 is asked for as any other.
             * @example false
             */
            readonly purposeOneTreatment: boolean;
            /**
             * @description Special features that the person opted in to.
             * @example {
             *       "1": true
             *     }
             */
            readonly specialFeatureOptins: {
                readonly [key: string]: boolean;
            };
            /**
             * @description Version of the policies of TCF.
             * @example 5
             */
            readonly tcfPolicyVersion: number;
            /**
             * @description As beside it.
             * @example CQYdG0AQYdG0AP_AAAENAFAA
             */
            readonly tcString: string;
            /**
             * @description Always false: the texts of the list are shown.
             * @example false
             */
            readonly useNonStandardTexts: boolean;
            /** @description By vendor. */
            readonly vendor: components["schemas"]["TcVendorBits"];
        };
        readonly Tcf: {
            /**
             * @description TCF purpose ids.
             * @example [
             *       7,
             *       8
             *     ]
             */
            readonly purposes: readonly number[];
            /**
             * @description TCF special feature ids.
             * @example []
             */
            readonly specialFeatures: readonly number[];
        };
        readonly TcfAtPlace: {
            /**
             * @description Whether IAB TCF is used there.
             * @example true
             */
            readonly enabled: boolean;
        };
        readonly TcPublisher: {
            /**
             * @description Consent to purposes of TCF.
             * @example {
             *       "1": true,
             *       "2": false,
             *       "3": true
             *     }
             */
            readonly consents: {
                readonly [key: string]: boolean;
            };
            /** @description Of the purposes that are none of TCF. */
            readonly customPurpose: components["schemas"]["TcCustomBits"];
            /**
             * @description Legitimate interest in purposes of TCF.
             * @example {
             *       "1": true,
             *       "2": false,
             *       "3": true
             *     }
             */
            readonly legitimateInterests: {
                readonly [key: string]: boolean;
            };
            /**
             * @description What the publisher lets vendors do less than they declare, by purpose and vendor: 0 not allowed, 1 only with consent, 2 only with legitimate interest. At most 24 keys, 1000000 bytes as JSON, 2 levels deep.
             * @example {
             *       "2": {
             *         "755": 1
             *       }
             *     }
             */
            readonly restrictions: {
                readonly [key: string]: unknown;
            };
        };
        readonly TcPurposeBits: {
            /**
             * @description Consent.
             * @example {
             *       "1": true,
             *       "2": false,
             *       "3": true
             *     }
             */
            readonly consents: {
                readonly [key: string]: boolean;
            };
            /**
             * @description Legitimate interest, disclosed and not objected to.
             * @example {
             *       "1": true,
             *       "2": false,
             *       "3": true
             *     }
             */
            readonly legitimateInterests: {
                readonly [key: string]: boolean;
            };
        };
        readonly TcString: {
            /**
             * @description Id of the consent tool; 4095 marks strings as made for a test.
             * @example 300
             */
            readonly cmpId: number;
            /**
             * @description Whether the site has named a registered tool (`--tcf-cmp`).
             * @example true
             */
            readonly cmpRegistered: boolean;
            /**
             * @description Its version.
             * @example 4
             */
            readonly cmpVersion: number;
            /**
             * Format: date-time
             * @description Day on which something was said last.
             * @example 2026-11-21T00:00:00.000Z
             */
            readonly created: string;
            /**
             * @description Keys of the purposes that are none of TCF, by their numbers in the segment PUBLISHER_TC: the first is 1.
             * @example [
             *       "newsletter"
             *     ]
             */
            readonly customPurposes: readonly string[];
            /**
             * @description Whether the place is one in which IAB TCF is used.
             * @example true
             */
            readonly gdprApplies: boolean;
            /**
             * Format: date-time
             * @description The same day.
             * @example 2026-11-21T00:00:00.000Z
             */
            readonly lastUpdated: string;
            /**
             * @description Version of the policies of TCF, as the vendor list says.
             * @example 5
             */
            readonly policyVersion: number;
            /**
             * @description What it consists of, in this order.
             * @example [
             *       "CORE",
             *       "DISCLOSED_VENDORS",
             *       "PUBLISHER_TC"
             *     ]
             */
            readonly segments: readonly (("CORE" | "DISCLOSED_VENDORS" | "PUBLISHER_TC") | string)[];
            /** @description What the string says; only with `format=tcdata`. */
            readonly tcData?: components["schemas"]["TcData"];
            /**
             * @description The TC string, TCF 2.4.
             * @example CQYdG0AQYdG0AP_AAAENAFAA
             */
            readonly tcString: string;
            /**
             * @description Whether that list is the one of this service, whose vendors do not exist.
             * @example false
             */
            readonly vendorListSynthetic: boolean;
            /**
             * @description Version of the vendor list that the string is explained by.
             * @example 177
             */
            readonly vendorListVersion: number;
        };
        readonly TcVendorBits: {
            /**
             * @description Consent.
             * @example {
             *       "8": true
             *     }
             */
            readonly consents: {
                readonly [key: string]: boolean;
            };
            /**
             * @description Disclosed to the person.
             * @example {
             *       "8": true
             *     }
             */
            readonly disclosedVendors: {
                readonly [key: string]: boolean;
            };
            /**
             * @description Legitimate interest, disclosed and not objected to.
             * @example {
             *       "8": true
             *     }
             */
            readonly legitimateInterests: {
                readonly [key: string]: boolean;
            };
        };
        readonly TemplateChange: {
            /**
             * @description The version before; null for the first.
             * @example 1
             */
            readonly from: number | null;
            /**
             * @description What changed.
             * @example First version.
             */
            readonly summary: string;
        };
        readonly TemplateChannel: {
            /**
             * @description Key of the channel.
             * @example email
             */
            readonly key: string;
            /**
             * @description Label, in the language served.
             * @example E-mail
             */
            readonly label: string;
            /**
             * @description Which kind of identifier has to be verified for the channel to count as verified. NONE: there is none, as for push.
             * @example EMAIL
             */
            readonly verification: ("EMAIL" | "PHONE" | "NONE") | string;
        };
        readonly TemplateField: {
            /**
             * @description Channel, where the field is a topic.
             * @example email
             */
            readonly channel: string | null;
            /**
             * @description What to show where nothing was said. Never counts as an answer. At most 8000 bytes as JSON.
             * @example false
             */
            readonly default: boolean | string | number | readonly string[] | null;
            /**
             * @description Whether a grant of the topic waits for a confirmation: never, always, or only while the channel is not verified.
             * @example REQUIRED
             */
            readonly doubleOptIn: ("NONE" | "REQUIRED" | "IF_UNVERIFIED") | string;
            /**
             * @description Help, in the language served.
             * @example Once a month at most.
             */
            readonly help: string | null;
            /**
             * @description Key of the field.
             * @example email_news
             */
            readonly key: string;
            /**
             * @description What can be said: true or false, one option, several, a number, a date, text, how often.
             * @example TOGGLE
             */
            readonly kind: ("TOGGLE" | "SELECT" | "MULTI_SELECT" | "NUMBER" | "DATE" | "TEXT" | "FREQUENCY") | string;
            /**
             * @description Label, in the language served.
             * @example News
             */
            readonly label: string;
            /** @description Choices; of a topic the frequencies it can come in. */
            readonly options: readonly components["schemas"]["TemplateOption"][];
            /**
             * @description Key of the purpose that the field serves.
             * @example marketing
             */
            readonly purposeKey: string | null;
            /**
             * @description Whether it may not be cleared once something was said.
             * @example false
             */
            readonly required: boolean;
            /**
             * @description Topic, where the field is one.
             * @example news
             */
            readonly topic: string | null;
            /** @description Limits of the value. */
            readonly validation: components["schemas"]["FieldValidation"];
        };
        readonly TemplateOption: {
            /**
             * @description Label, in the language served.
             * @example Once a week
             */
            readonly label: string;
            /**
             * @description What is stored.
             * @example WEEKLY
             */
            readonly value: string;
        };
        readonly TemplateSection: {
            /** @description Fields, in the order in which they are to be shown. */
            readonly fields: readonly components["schemas"]["TemplateField"][];
            /**
             * @description Key of the section.
             * @example mail
             */
            readonly key: string;
            /**
             * @description Title, in the language served.
             * @example What we may send you
             */
            readonly title: string;
        };
        readonly TemplateShown: {
            /**
             * @description Content hash of the template in that language.
             * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
             */
            readonly contentHash: string;
            /**
             * @description Language of its texts.
             * @example en
             */
            readonly locale: string;
            /**
             * @description Version of the preference template in force; 0 for none.
             * @example 1
             */
            readonly version: number;
        };
        readonly TopicPreference: {
            /**
             * @description Why not; the first reason that holds.
             * @example null
             */
            readonly blockedBy: ("GLOBAL_OPT_OUT" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET" | "PAUSED") | string | null;
            /**
             * Format: date-time
             * @description When the owner of the address confirmed; null where no confirmation was asked for.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly confirmedAt: string | null;
            /**
             * Format: date-time
             * @description PENDING: when the link runs out; null as long as none was made.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly expiresAt: string | null;
            /**
             * @description How often; null for no wish.
             * @example WEEKLY
             */
            readonly frequency: string | null;
            /**
             * Format: date-time
             * @description The topic rests until then; null where it does not.
             * @example 2027-01-01T00:00:00.000Z
             */
            readonly pausedUntil: string | null;
            /**
             * @description Whether something may be sent now, all of this considered.
             * @example true
             */
            readonly sendable: boolean;
            /**
             * Format: date-time
             * @description Since when; null where nothing was said.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly since: string | null;
            /**
             * @description PENDING: wanted, and waiting for the double opt-in. EXPIRED: it was not confirmed in time.
             * @example GRANTED
             */
            readonly state: ("GRANTED" | "DENIED" | "PENDING" | "EXPIRED" | "UNSET") | string;
        };
        readonly TypedField: {
            /**
             * @description Kind of the field.
             * @example SELECT
             */
            readonly type: ("TOGGLE" | "SELECT" | "MULTI_SELECT" | "NUMBER" | "DATE" | "TEXT" | "FREQUENCY") | string;
            /**
             * Format: date-time
             * @description When it was said.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly updatedAt: string;
            /**
             * @description Its value. At most 32768 bytes as JSON.
             * @example de
             */
            readonly value: boolean | string | number | readonly string[] | null;
        };
        readonly TypedPeriod: {
            /**
             * @description How many of the unit; null where the law sets no period, or none is known.
             * @example 1
             */
            readonly dueDays: number | null;
            /**
             * @description By how much it can be extended, in the same unit; null where it cannot, or nothing is known.
             * @example 2
             */
            readonly extensionDays: number | null;
            /**
             * @description Requests that it is about.
             * @example [
             *       "RECTIFICATION"
             *     ]
             */
            readonly types: readonly (("ACCESS" | "PORTABILITY" | "ERASURE" | "RECTIFICATION" | "RESTRICTION" | "OBJECTION" | "WITHDRAW_ALL" | "OPT_OUT_SALE_SHARE" | "OPT_OUT_TARGETED_ADS") | string)[];
            /**
             * @description Periods of 24 hours end at their minute, all others at the end of a day.
             * @example MONTHS
             */
            readonly unit: ("MONTHS" | "CALENDAR_DAYS" | "BUSINESS_DAYS" | "PERIODS_OF_24_HOURS") | string;
        };
        readonly Vendor: {
            /**
             * @description The choice for this vendor.
             * @example DENIED
             */
            readonly decision: ("GRANTED" | "DENIED") | string;
            /**
             * @description Whose vendor list the id is from.
             * @example TCF
             */
            readonly framework: ("TCF" | "GOOGLE") | string;
            /**
             * @description Vendor id in that list.
             * @example 755
             */
            readonly id: number;
        };
        readonly VendorInput: {
            /**
             * @description The choice for this vendor.
             * @example DENIED
             * @enum {string}
             */
            readonly decision: "GRANTED" | "DENIED";
            /**
             * @description Whose vendor list the id is from.
             * @example TCF
             * @enum {string}
             */
            readonly framework: "TCF" | "GOOGLE";
            /**
             * @description Vendor id in that list.
             * @example 755
             */
            readonly id: number;
        };
        readonly Vouched: {
            /**
             * Format: date-time
             * @description When it was signed, as it says.
             * @example 2026-11-21T12:00:00.000Z
             */
            readonly issuedAt: string;
            /**
             * @description The secret key that signed it.
             * @example key_4Zt8nXq2LmPa
             */
            readonly keyId: string;
        };
        readonly WantedTopic: {
            /**
             * @description A topic: its name beside `channel`, its key in the template, or its full path.
             * @example news
             */
            readonly field: string;
            /**
             * @description Always true: what is refused needs no confirmation.
             * @example true
             */
            readonly value: boolean;
        };
        readonly WebhookAttempts: {
            /**
             * @description Seconds from each attempt to the next one, the first from the event on.
             * @example [
             *       0,
             *       5,
             *       300
             *     ]
             */
            readonly afterSeconds: readonly number[];
            /**
             * @description By so much of it each wait is changed at random, up or down.
             * @example 0.2
             */
            readonly jitter: number;
            /**
             * @description Whether `Retry-After` is honoured, up to a day.
             * @example true
             */
            readonly retryAfter: boolean;
        };
        readonly WebhookCatalogue: {
            /** @description What is promised of deliveries. */
            readonly delivery: components["schemas"]["WebhookDeliveryContract"];
            /** @description Every type of event, by name. */
            readonly events: readonly components["schemas"]["WebhookEventType"][];
        };
        readonly WebhookDeliveryContract: {
            /**
             * @description Bytes of an answer that are read.
             * @example 65536
             */
            readonly answerBytesMax: number;
            /**
             * @description Version of the bodies. Members may come within it.
             * @example 2026-11-01
             */
            readonly apiVersion: string;
            /** @description When it is tried. */
            readonly attempts: components["schemas"]["WebhookAttempts"];
            /**
             * @description Type of the body.
             * @example application/json; charset=utf-8
             */
            readonly contentType: string;
            /** @description When an endpoint is disabled. */
            readonly disabled: components["schemas"]["WebhookDisabled"];
            /**
             * @description Tell duplicates by `webhook-id`.
             * @example AT_LEAST_ONCE
             * @enum {string}
             */
            readonly guarantee: "AT_LEAST_ONCE";
            /** @description Headers of every attempt. */
            readonly headers: readonly components["schemas"]["WebhookHeader"][];
            /**
             * @description How it is sent.
             * @example POST
             * @enum {string}
             */
            readonly method: "POST";
            /**
             * @description What is about one subject comes in its order; across subjects go by `sequence`.
             * @example PER_SUBJECT
             * @enum {string}
             */
            readonly ordering: "PER_SUBJECT";
            /**
             * @description A redirect is a failure.
             * @example NOT_FOLLOWED
             * @enum {string}
             */
            readonly redirects: "NOT_FOLLOWED";
            /** @description The secret of an endpoint. */
            readonly secret: components["schemas"]["WebhookSecret"];
            /** @description Signatures of every attempt; verify one. */
            readonly signatures: readonly components["schemas"]["WebhookSignature"][];
            /**
             * @description Which answers count as received.
             * @example 2xx
             */
            readonly success: string;
            /**
             * @description Seconds that a receiver may take for its answer.
             * @example 15
             */
            readonly timeoutSeconds: number;
            /**
             * @description Seconds that clocks may differ by, both ways.
             * @example 300
             */
            readonly toleranceSeconds: number;
        };
        readonly WebhookDisabled: {
            /**
             * @description Days of nothing but failures after which it is disabled.
             * @example 5
             */
            readonly afterDaysOfFailures: number;
            /**
             * @description A status by which an endpoint is disabled at once.
             * @example 410
             */
            readonly byStatus: number;
        };
        readonly WebhookEventType: {
            /**
             * @description When it is sent.
             * @example A grant ran out.
             */
            readonly description: string;
            /**
             * @description A body. At most 100 keys, 20000 bytes as JSON, 16 levels deep.
             * @example {
             *       "type": "consent.granted"
             *     }
             */
            readonly example: {
                readonly [key: string]: unknown;
            };
            /**
             * @description The release that sends it first.
             * @example 0.2.0
             */
            readonly from: string;
            /**
             * @description JSON Schema 2020-12 of the body. At most 100 keys, 20000 bytes as JSON, 16 levels deep.
             * @example {
             *       "title": "consent.granted"
             *     }
             */
            readonly schema: {
                readonly [key: string]: unknown;
            };
            /**
             * @description The type.
             * @example consent.granted
             */
            readonly type: string;
        };
        readonly WebhookHeader: {
            /**
             * @description What it says.
             * @example Id of the event.
             */
            readonly description: string;
            /**
             * @description Name of the header.
             * @example webhook-id
             */
            readonly name: string;
        };
        readonly WebhookSecret: {
            /**
             * @description Bytes of the key.
             * @example 32
             */
            readonly bytes: number;
            /**
             * @description How the bytes of the key follow.
             * @example base64
             * @enum {string}
             */
            readonly encoding: "base64";
            /**
             * @description Hours for which two secrets sign after a rotation.
             * @example 24
             */
            readonly overlapHours: number;
            /**
             * @description What the text of a secret begins with.
             * @example whsec_
             */
            readonly prefix: string;
        };
        readonly WebhookSignature: {
            /**
             * @description How it is made.
             * @example HMAC-SHA256
             * @enum {string}
             */
            readonly algorithm: "HMAC-SHA256";
            /**
             * @description How its bytes are written.
             * @example hex
             */
            readonly encoding: ("hex" | "base64") | string;
            /**
             * @description How it is written there.
             * @example t=<timestamp>,v1=<signature>
             */
            readonly format: string;
            /**
             * @description The header that it stands in.
             * @example Consent-Signature
             */
            readonly header: string;
            /**
             * @description What is signed; the body as it came, byte for byte.
             * @example <timestamp>.<body>
             */
            readonly signedContent: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    readonly getKeySet: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The key set. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/jwk-set+json": components["schemas"]["KeySet"];
                };
            };
        };
    };
    readonly getBanner: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Hash of what is on the screen already, as a key of `contents` in GET /v1/banner/manifest. Where something else would be shown now: 409 `presentation_changed`.
                 * @example sha256:9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08
                 */
                readonly contentHash?: string;
                /**
                 * @description Country, ISO 3166-1 alpha-2. Default: the one that the proxy in front names, where it is set up to; else the strictest rule applies.
                 * @example US
                 */
                readonly country?: string;
                /**
                 * @description Wanted language, BCP 47; looked up by RFC 4647. Default: Accept-Language, then its own.
                 * @example de-AT
                 */
                readonly locale?: string;
                /**
                 * @description Region, ISO 3166-2; where none of its rules is known, that of the country applies.
                 * @example US-CA
                 */
                readonly region?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The banner. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Banner"];
                };
            };
        };
    };
    readonly getBannerManifest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The manifest. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BannerManifest"];
                };
            };
        };
    };
    readonly recordConsent: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RecordConsent"];
            };
        };
        readonly responses: {
            /** @description Recorded; also the answer to every repeat under the same key. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConsentRecord"];
                };
            };
        };
    };
    readonly recordConsentBatch: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RecordBatch"];
            };
        };
        readonly responses: {
            /** @description One result for each record. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["BatchResult"];
                };
            };
        };
    };
    readonly getGoogleConsentMode: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description What was given by that instant, under the rules of that instant.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly asOf?: string;
                /**
                 * @description Country whose rule applies, ISO 3166-1. Default: as for the state.
                 * @example US
                 */
                readonly country?: string;
                /**
                 * @description Fold the subject’s stream instead of reading rows or caches: never misses an acknowledged write.
                 * @example true
                 */
                readonly fresh?: boolean;
                /**
                 * @description Region, ISO 3166-2.
                 * @example US-CA
                 */
                readonly region?: string;
                /**
                 * @description Whose choices: `<kind>:<value>`.
                 * @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90
                 */
                readonly subject: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description What to hand to Google’s tags. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GoogleConsentMode"];
                };
            };
        };
    };
    readonly getGppString: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description What was given by that instant, under the rules of that instant.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly asOf?: string;
                /**
                 * @description Country whose rule applies, ISO 3166-1. Default: as for the state.
                 * @example US
                 */
                readonly country?: string;
                /**
                 * @description Fold the subject’s stream instead of reading rows or caches: never misses an acknowledged write.
                 * @example true
                 */
                readonly fresh?: boolean;
                /**
                 * @description Region, ISO 3166-2.
                 * @example US-CA
                 */
                readonly region?: string;
                /**
                 * @description Whose choices: `<kind>:<value>`.
                 * @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90
                 */
                readonly subject: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The string. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["GppString"];
                };
            };
        };
    };
    readonly getTcString: {
        readonly parameters: {
            readonly query: {
                /**
                 * @description What was given by that instant, under the rules of that instant.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly asOf?: string;
                /**
                 * @description Country whose rule applies, ISO 3166-1. Default: as for the state.
                 * @example US
                 */
                readonly country?: string;
                /**
                 * @description `tcdata`: with `tcData`, what the string says, so that a page need not decode it. Default: without.
                 * @example tcdata
                 */
                readonly format?: "tcdata";
                /**
                 * @description Fold the subject’s stream instead of reading rows or caches: never misses an acknowledged write.
                 * @example true
                 */
                readonly fresh?: boolean;
                /**
                 * @description Region, ISO 3166-2.
                 * @example US-CA
                 */
                readonly region?: string;
                /**
                 * @description Whose choices: `<kind>:<value>`.
                 * @example visitor_id:7f2c1e6ab0d94c3f8e5d2a1b4c6f8e90
                 */
                readonly subject: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The string. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["TcString"];
                };
            };
        };
    };
    readonly openDataRequest: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["OpenDataRequest"];
            };
        };
        readonly responses: {
            /** @description The one that is open already. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DataRequest"];
                };
            };
            /** @description The request. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["DataRequest"];
                };
            };
        };
    };
    readonly getPolicy: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description What applied then, or will. Default: now.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly at?: string;
                /**
                 * @description Country, ISO 3166-1 alpha-2. Default: the one that the proxy in front names, where it is set up to; else the strictest rule is answered.
                 * @example US
                 */
                readonly country?: string;
                /**
                 * @description Region, ISO 3166-2; where none of its rules is known, that of the country is answered.
                 * @example US-CA
                 */
                readonly region?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The rule. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Policy"];
                };
            };
        };
    };
    readonly createPortalToken: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["IssuePortalToken"];
            };
        };
        readonly responses: {
            /** @description The token. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PortalToken"];
                };
            };
        };
    };
    readonly getPreferenceTemplate: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Wanted language, BCP 47; looked up by RFC 4647. Default: Accept-Language, then its own.
                 * @example de-AT
                 */
                readonly locale?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The template. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PreferenceTemplate"];
                };
            };
        };
    };
    readonly setPreferences: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["SetPreferences"];
            };
        };
        readonly responses: {
            /** @description Recorded; also the answer to every repeat under the same key. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PreferenceRecord"];
                };
            };
        };
    };
    readonly requestConfirmation: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["RequestConfirmation"];
            };
        };
        readonly responses: {
            /** @description The link waits to be used. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConfirmationToken"];
                };
            };
        };
    };
    readonly listPurposes: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Where to go on: `nextCursor` of the page before. Opaque; changing it, or the filters beside it, is not supported.
                 * @example MSxbIjQyIl0
                 */
                readonly cursor?: string;
                /**
                 * @description How many items to answer at most.
                 * @example 50
                 */
                readonly limit?: number;
                /**
                 * @description Wanted language, BCP 47; looked up by RFC 4647. Default: Accept-Language, then its own.
                 * @example de-AT
                 */
                readonly locale?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of purposes. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PurposeList"];
                };
            };
        };
    };
    readonly getPurpose: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description Wanted language, BCP 47; looked up by RFC 4647. Default: Accept-Language, then its own.
                 * @example de-AT
                 */
                readonly locale?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The purpose. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Purpose"];
                };
            };
        };
    };
    readonly getReceipt: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description `kantara`: as Kantara Consent Receipt 1.1; receipts of consent records only.
                 * @example kantara
                 */
                readonly format?: "assent" | "kantara";
                /**
                 * @description The `receiptToken` from the answer to the write: with it no key is needed.
                 * @example rpt_mK2nq8bRk0xJmJm4nQfHj0Gq3v1m0XwqV9a1kM2c3d4
                 */
                readonly token?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The receipt. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Receipt"];
                };
            };
        };
    };
    readonly createSubject: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["CreateSubject"];
            };
        };
        readonly responses: {
            /** @description They named this subject already. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Subject"];
                };
            };
            /** @description Created. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Subject"];
                };
            };
        };
    };
    readonly getConsentState: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The state as given at that instant.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly asOf?: string;
                /**
                 * @description Country whose rule applies, ISO 3166-1. Default: the one that the proxy in front names to a page, else that of the newest record that names one, else the strictest rule.
                 * @example US
                 */
                readonly country?: string;
                /**
                 * @description Fold the subject’s stream instead of reading rows or caches: never misses an acknowledged write.
                 * @example true
                 */
                readonly fresh?: boolean;
                /**
                 * @description As the service knew it at that instant.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly knownAt?: string;
                /**
                 * @description Only these purposes; repeatable.
                 * @example [
                 *       "analytics"
                 *     ]
                 */
                readonly purpose?: readonly string[];
                /**
                 * @description Region, ISO 3166-2.
                 * @example US-CA
                 */
                readonly region?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The state. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConsentState"];
                };
            };
        };
    };
    readonly getConsentHistory: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example eyJ2IjoxfQ
                 */
                readonly cursor?: string;
                /**
                 * @description Recorded at or after.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly from?: string;
                /**
                 * @description Items on a page.
                 * @example 50
                 */
                readonly limit?: number;
                /**
                 * @description Only this purpose.
                 * @example analytics
                 */
                readonly purpose?: string;
                /**
                 * @description Recorded before.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly to?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of history. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["ConsentHistory"];
                };
            };
        };
    };
    readonly addIdentifier: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["AddIdentifier"];
            };
        };
        readonly responses: {
            /** @description The subject had it already. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Subject"];
                };
            };
            /** @description Added, or linked. */
            readonly 201: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Subject"];
                };
            };
        };
    };
    readonly getPreferences: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description What was wanted as said by that instant.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly asOf?: string;
                /**
                 * @description Fold the subject’s stream instead of reading rows or caches: never misses an acknowledged write.
                 * @example true
                 */
                readonly fresh?: boolean;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The preferences. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["Preferences"];
                };
            };
        };
    };
    readonly getPreferenceHistory: {
        readonly parameters: {
            readonly query?: {
                /**
                 * @description The `nextCursor` of the page before.
                 * @example eyJ2IjoxfQ
                 */
                readonly cursor?: string;
                /**
                 * @description Only this field: its key, the full path of a topic, or `globalOptOut`. What became of mails is left out then.
                 * @example channels.email.topics.news
                 */
                readonly field?: string;
                /**
                 * @description Recorded at or after.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly from?: string;
                /**
                 * @description Items on a page.
                 * @example 50
                 */
                readonly limit?: number;
                /**
                 * @description Recorded before.
                 * @example 2026-11-21T12:00:00.000Z
                 */
                readonly to?: string;
            };
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description A page of history. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["PreferenceHistory"];
                };
            };
        };
    };
    readonly mergeSubjects: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody: {
            readonly content: {
                readonly "application/json": components["schemas"]["MergeSubjects"];
            };
        };
        readonly responses: {
            /** @description Merged, or what would be. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["MergeResult"];
                };
            };
        };
    };
    readonly listWebhookEvents: {
        readonly parameters: {
            readonly query?: never;
            readonly header?: never;
            readonly path?: never;
            readonly cookie?: never;
        };
        readonly requestBody?: never;
        readonly responses: {
            /** @description The catalogue. */
            readonly 200: {
                headers: {
                    readonly [name: string]: unknown;
                };
                content: {
                    readonly "application/json": components["schemas"]["WebhookCatalogue"];
                };
            };
        };
    };
}
