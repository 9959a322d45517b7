/** What an archive and the page behind its link say in one language. `{…}` stands for what is filled in. */
export interface ArchiveWords {
  /** `{site}` */
  title: string;
  /** `{time}` */
  intro: string;
  /** `{file}` */
  machine: string;
  known: string;
  now: string;
  happened: string;
  /** `{shown}`, `{all}` and `{file}` */
  newest: string;
  texts: string;
  told: string;
  looked: string;
  requests: string;
  nothing: string;
  /** What somebody said, by the code of the answer. */
  answers: Readonly<Record<'GRANTED' | 'DENIED' | 'WITHDRAWN' | 'OBJECTED' | 'ACKNOWLEDGED', string>>;
  /** What else happened, by the type of the event. */
  events: Readonly<
    Record<
      | 'SubjectCreated'
      | 'IdentifierAdded'
      | 'IdentifierVerified'
      | 'PreferenceSet'
      | 'PreferenceConfirmationRequested'
      | 'PreferenceConfirmed'
      | 'ConsentExpired',
      string
    >
  >;
  link: {
    title: string;
    /** `{time}` */
    text: string;
    button: string;
    used: string;
    expired: string;
    invalid: string;
    failed: string;
  };
}
