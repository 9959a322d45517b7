import type { CatalogueFolder } from '../../../catalogue/services.js';
import type { Instant } from '../../../kernel/index.js';
import type { DemoSettings } from '../../../operator/context.js';
import { Calendar, HISTORY_DAYS, seededRandom } from './calendar.js';
import { changedBanner, changedMarketing } from './changed-texts.js';
import { ADA, person, PERSONS, type Person } from './persons.js';
import { CallRefused, type From, type PastService } from './past-service.js';

/** Receivers of the demo's webhooks on this machine: the process itself answers at the first, and nothing at the second. */
export const RECEIVER_PORTS = { works: 4191, fails: 4192 } as const;

/** One thing that happened. `key`: the same at every start, so that a step that was carried out is not again. */
export interface Step {
  at: Instant;
  run: (service: PastService, key: string) => Promise<void>;
}

export interface PlannedFor {
  demo: DemoSettings;
  catalogue: CatalogueFolder;
  begins: Instant;
}

type Decision = 'GRANTED' | 'DENIED' | 'WITHDRAWN' | 'OBJECTED';
interface Visitor {
  id: string;
  from: From;
  locale: Person['locale'];
  signsIn?: true;
}

const AGENTS = [
  'Mozilla/5.0 (X11; Linux x86_64; rv:146.0) Gecko/20100101 Firefox/146.0',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1',
];
/** Ranges for documentation (RFC 5737). */
const NETWORKS = ['192.0.2', '198.51.100', '203.0.113'];
const PLACES = [
  ...Array<Person['country']>(8).fill('DE'),
  ...Array<Person['country']>(4).fill('FR'),
  ...Array<Person['country']>(4).fill('GB'),
  ...Array<Person['country']>(4).fill('US'),
];
const LOCALES = { DE: 'de', FR: 'fr', GB: 'en', US: 'en' } as const;
const SHOP = 'https://demo.example';
const MORNING = 7 * 3_600;
const OPEN_SECONDS = 14 * 3_600;
/** Answers in a part of a week from which on neither grants nor refusals are so few that statistics hide them. */
const SHOWN_ANSWERS = 36;
const FIRST_WITHDRAWALS_DAY = 7;
/** On these days the new banner and the new text were published. */
const NEW_BANNER_DAY = 19;
const NEW_TEXT_DAY = 23;
/** On this day Ada opens an account. */
export const ADA_COMES_ON_DAY = 5;

/** Six weeks of the demo shop, the earliest first. */
export function historyOf(planned: PlannedFor): Step[] {
  const steps = new Plan(planned).steps();
  return steps.sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0));
}

class Plan {
  private readonly random = seededRandom(47);
  private readonly days: Calendar;
  private readonly planned: Step[] = [];
  private readonly operatorPath = '/admin/v1/sites/demo/test';

  constructor(private readonly about: PlannedFor) {
    this.days = new Calendar(about.begins);
  }

  steps(): Step[] {
    this.publications();
    this.visitors();
    this.people();
    this.ada();
    this.requests();
    this.webhooks();
    return this.planned;
  }

  private publications(): void {
    const { catalogue } = this.about;
    const publish = (day: number, body: object): void =>
      this.operator(day, MORNING + 3_600, 'POST', '/catalogue', body);
    publish(NEW_BANNER_DAY, { purposes: [], banner: changedBanner(catalogue) });
    publish(NEW_TEXT_DAY, { purposes: [changedMarketing(catalogue)] });
  }

  /** People who come, see the banner, and mostly answer it; some take it back later. */
  private visitors(): void {
    const granted: Visitor[] = [];
    let come = 0;
    for (let day = 0; day < HISTORY_DAYS; day++) {
      const isNew = day > NEW_BANNER_DAY;
      const coming = Math.max(
        (this.days.isWeekend(day) ? 5 : 7) + this.below(3) + (isNew ? 1 : 0),
        Math.ceil(SHOWN_ANSWERS / this.days.daysTogether(day)),
      );
      const leaving =
        day < FIRST_WITHDRAWALS_DAY
          ? 0
          : Math.max(2, Math.ceil(12 / this.days.daysTogether(day, FIRST_WITHDRAWALS_DAY)));
      for (let i = 0; i < leaving && granted.length > 0; i++) {
        const [visitor] = granted.splice(this.below(granted.length), 1) as [Visitor];
        this.says(`visitor_id:${visitor.id}`, { analytics: 'WITHDRAWN' }, day, visitor);
      }
      for (let i = 0; i < coming; i++) {
        const visitor = this.visitor();
        const accepts = isNew ? 0.66 : 0.52;
        const answers = {
          analytics: spread(come, GOLDEN) < accepts,
          marketing: spread(come, Math.SQRT2) < accepts - 0.16,
        };
        come++;
        this.answersBanner(visitor, day, this.second(), answers);
        if (answers.analytics) granted.push(visitor);
      }
      for (let i = 0, looking = 3 + this.below(5); i < looking; i++) this.onlyLooks(this.visitor(), day);
    }
  }

  private people(): void {
    const withWishes = ['news', 'offers', 'product_updates'];
    for (const [i, someone] of PERSONS.entries()) {
      if (someone === ADA) continue;
      const day = this.below(HISTORY_DAYS - 6);
      const second = this.second();
      const subject = `email:${someone.email}`;
      this.registers(someone, day, second);
      if (i % 6 === 0) this.becomes(someone, day, second);
      const accepts = this.random() < 0.6;
      if (i % 7 === 3) this.byPhone(someone, { marketing: accepts ? 'GRANTED' : 'DENIED' }, day + 2);
      else
        this.inAccount(someone, { analytics: 'GRANTED', marketing: accepts ? 'GRANTED' : 'DENIED' }, day, second + 120);
      if (i % 5 === 1) this.confirms(someone, [withWishes[i % 2]!], day, second + 300);
      if (i % 3 === 2) this.wishes(subject, someone.locale, day, second + 400, i);
      if (i % 8 === 5) this.inAccount(someone, { marketing: 'WITHDRAWN' }, day + 4, second);
    }
    // Global Privacy Control is an opt-out by law in California.
    const noah = person('noah.garcia');
    const from = this.fromOf('US', true);
    this.server(12, MORNING + 9_000, 'POST', '/v1/consent', {
      subject: `email:${noah.email}`,
      purpose: 'sale_of_data',
      decision: 'OBJECTED',
      jurisdiction: { country: 'US', region: 'US-CA', source: 'DETECTED' },
      signals: { gpc: true },
      collection: { method: 'SIGNAL', surface: 'WIDGET', url: `${SHOP}/`, locale: 'en' },
    });
    this.operator(33, MORNING + 4_000, 'GET', `/subjects/${ref(noah)}/consent/history`);
    this.answersBanner({ id: this.visitorId(), from, locale: 'en' }, 12, MORNING + 8_000, {
      analytics: false,
      marketing: false,
      sale_of_data: false,
    });
  }

  /** The one person of whom there is something on every screen. */
  private ada(): void {
    const subject = `email:${ADA.email}`;
    const visitor: Visitor = { id: this.visitorId(), from: this.fromOf('DE'), locale: 'de', signsIn: true };
    this.answersBanner(visitor, 1, MORNING + 5_000, { analytics: true, marketing: false });
    this.registers(ADA, ADA_COMES_ON_DAY, MORNING + 20_000);
    this.merges(ADA, visitor, ADA_COMES_ON_DAY, MORNING + 20_060);
    this.confirms(ADA, ['news', 'offers'], ADA_COMES_ON_DAY, MORNING + 20_300);
    this.wishes(subject, 'de', 6, MORNING + 9_000, 0);
    this.byPhone(ADA, { marketing: 'GRANTED' }, 16);
    this.inAccount(ADA, { marketing: 'WITHDRAWN' }, 21, MORNING + 12_000);
    const again: Visitor = { ...visitor, id: this.visitorId() };
    this.answersBanner(again, 25, MORNING + 15_000, { analytics: true, marketing: true });
    this.merges(ADA, again, 25, MORNING + 15_600);
    this.inAccount(ADA, { analytics: 'WITHDRAWN' }, 36, MORNING + 30_000);
    for (const day of [16, 37]) this.operator(day, MORNING + 7_000, 'GET', `/subjects/${ref(ADA)}/consent/history`);
  }

  private requests(): void {
    const intake = { source: 'EMAIL', requester: { type: 'SELF' } };
    // Overdue: a month of the UK's GDPR is over.
    this.request(person('emma.brown'), 'ERASURE', 2, 'GB', { ...intake, details: 'Please delete my account.' });
    // Due in a few days.
    this.request(
      ADA,
      'ACCESS',
      15,
      'DE',
      { ...intake, details: 'Bitte schicken Sie mir alles, was Sie über mich haben.' },
      [
        ['verify', 16, { method: 'OPERATOR' }],
        ['start', 17, undefined],
        ['notes', 17, { text: 'Asked the shipping partner for their part.' }],
      ],
    );
    this.request(person('camille.moreau'), 'ACCESS', 14, 'FR', intake, [
      ['verify', 15, { method: 'EMAIL_CODE' }],
      ['start', 16, undefined],
      ['complete', 20, { note: 'Archive handed over.' }],
    ]);
    this.request(
      person('lena.vogt'),
      'RECTIFICATION',
      30,
      'DE',
      { source: 'PHONE', corrections: [{ kind: 'locale', value: 'en' }] },
      [
        ['verify', 30, { method: 'OPERATOR' }],
        ['start', 31, undefined],
        ['hold', 31, { reason: 'AWAITING_REQUESTER', note: 'Which of the two accounts?' }],
      ],
    );
    this.request(person('olivia.reed'), 'OPT_OUT_SALE_SHARE', 40, 'US', { source: 'API' });
  }

  private webhooks(): void {
    const endpoint = (port: number, description: string, types: string[]): object => ({
      url: `http://127.0.0.1:${port}/assent`,
      types,
      description,
    });
    const { works, fails } = RECEIVER_PORTS;
    const create = (second: number, body: object): void =>
      this.add(24, second, async (service, at, key) => {
        // Where the demo is not on a machine of one's own, no receiver on it is allowed.
        await service.answerTo({
          ...{ at, method: 'POST', path: `${this.operatorPath}/webhook-endpoints`, body },
          ...{ token: this.about.demo.operatorToken, idempotencyKey: key },
        });
      });
    create(
      100,
      endpoint(works, 'Customer relations', ['subject.*', 'preference.*', 'data_request.*', 'consent.withdrawn']),
    );
    create(200, endpoint(fails, 'Data warehouse', ['subject.merged', 'data_request.*']));
  }

  // What people do.

  private answersBanner(
    visitor: Visitor,
    day: number,
    second: number,
    answers: Record<string, boolean>,
    { publicKey: token, secretKey } = this.about.demo,
  ): void {
    this.add(day, second, async (service, at, key) => {
      const shown = await service.call({
        ...{ at, method: 'GET', path: `/v1/banner?locale=${visitor.locale}`, token, from: visitor.from },
      });
      const choices = Object.entries(answers);
      const isAll = choices.every(([, yes]) => yes);
      const method = isAll ? 'ACCEPT_ALL' : choices.some(([, yes]) => yes) ? 'SAVE_CHOICES' : 'REJECT_ALL';
      const records = choices.map(([purpose, yes]) => ({
        subject: `visitor_id:${visitor.id}`,
        purpose,
        decision: yes ? 'GRANTED' : purpose === 'sale_of_data' ? 'OBJECTED' : 'DENIED',
        collection: {
          ...{ method, surface: 'BANNER', url: `${SHOP}/`, locale: String(shown['locale']) },
          ...(shown['presentationToken'] !== null && { presentationToken: shown['presentationToken'] }),
        },
        jurisdiction: placeOf(visitor.from),
      }));
      const path = '/v1/consent/batch';
      // By its server where the visitor becomes a person: of a person a page may say nothing, a repeat included.
      const sentBy = visitor.signsIn ? secretKey : token;
      const { summary, results } = await service.call({
        ...{ at: this.days.at(day, second + 8), method: 'POST', path, token: sentBy, from: visitor.from },
        ...{ idempotencyKey: key, body: { records } },
      });
      if ((summary as { rejected: number }).rejected > 0) throw new CallRefused(JSON.stringify(results));
    });
  }

  private onlyLooks({ from, locale }: Visitor, day: number): void {
    const { publicKey: token } = this.about.demo;
    this.add(day, this.second(), async (service, at) => {
      await service.call({ at, method: 'GET', path: `/v1/banner?locale=${locale}`, token, from });
    });
  }

  /** A visitor who changes something in the preference centre. */
  private says(subject: string, said: Record<string, Decision>, day: number, { from, locale }: Visitor): void {
    for (const [purpose, decision] of Object.entries(said))
      this.add(day, this.second(), async (service, at, key) => {
        await service.call({
          ...{ at, method: 'POST', path: '/v1/consent', token: this.about.demo.publicKey, from, idempotencyKey: key },
          body: { subject, purpose, decision, jurisdiction: placeOf(from), collection: inPreferenceCentre(locale) },
        });
      });
  }

  private registers({ email, userId, locale, country }: Person, day: number, second: number): void {
    const identifiers = [
      { kind: 'email', value: email, verified: true },
      { kind: 'user_id', value: userId, verified: true },
    ];
    this.server(day, second, 'POST', '/v1/subjects', { identifiers, locale, country });
  }

  /** A visitor signs in: what was said before follows. */
  private becomes(someone: Person, day: number, second: number): void {
    const visitor: Visitor = {
      ...{ id: this.visitorId(), from: this.fromOf(someone.country), locale: someone.locale },
      signsIn: true,
    };
    this.answersBanner(visitor, day, second - 600, { analytics: true, marketing: this.random() < 0.5 });
    this.merges(someone, visitor, day, second + 60);
  }

  private merges({ email }: Person, { id }: Visitor, day: number, second: number): void {
    this.server(day, second, 'POST', '/v1/subjects/merge', {
      sources: [`visitor_id:${id}`],
      target: `email:${email}`,
      reason: 'signed in',
    });
  }

  private inAccount(
    { email, locale, country }: Person,
    said: Record<string, Decision>,
    day: number,
    second: number,
  ): void {
    const records = Object.entries(said).map(([purpose, decision]) => ({
      ...{ subject: `email:${email}`, purpose, decision },
      jurisdiction: placeOf(this.fromOf(country)),
      collection: inPreferenceCentre(locale),
    }));
    if (day < HISTORY_DAYS) this.server(day, second, 'POST', '/v1/consent/batch', { records });
  }

  private byPhone({ email, locale }: Person, said: Record<string, Decision>, day: number): void {
    for (const [purpose, decision] of Object.entries(said))
      this.operator(day, this.second(), 'POST', '/consent', {
        ...{ subject: `email:${email}`, purpose, decision },
        collection: { method: 'VERBAL', surface: 'CALL', locale },
      });
  }

  private wishes(subject: string, locale: string, day: number, second: number, i: number): void {
    this.server(day, second, 'POST', '/v1/preferences', {
      subject,
      values: [
        { field: 'channels.email.topics.product_updates', value: i % 4 !== 1 },
        { field: 'digest_frequency', value: ['WEEKLY', 'MONTHLY', 'QUARTERLY'][i % 3] },
        { field: 'interests', value: [['books', 'music'], ['garden'], ['games', 'music']][i % 3] },
      ],
      collection: inPreferenceCentre(locale),
    });
  }

  /** Asks for mail, and confirms it some minutes later by the link that the shop has mailed. No mail of the service leads to a made-up address. */
  private confirms({ email, locale }: Person, topics: readonly string[], day: number, second: number): void {
    const { demo } = this.about;
    this.add(day, second, async (service, at, key) => {
      const asked = await service.call({
        ...{
          at,
          method: 'POST',
          path: '/v1/preferences/confirmation-token',
          token: demo.secretKey,
          idempotencyKey: key,
        },
        body: {
          subject: `email:${email}`,
          channel: 'email',
          values: topics.map((field) => ({ field, value: true })),
          redirectUrl: `${SHOP}/thanks`,
          locale,
        },
      });
      const confirmed = { at: this.days.at(day, second + 420), path: '/v1/preferences/confirm' };
      await service.call({
        ...{ ...confirmed, method: 'POST', token: demo.secretKey, body: { token: asked['token'] } },
      });
    });
  }

  private request(
    { email, userId }: Person,
    type: string,
    day: number,
    country: string,
    more: object,
    then: readonly (readonly [act: string, day: number, body: object | undefined])[] = [],
  ): void {
    const jurisdiction = { country, ...(country === 'US' && { region: 'US-CA' }), source: 'DECLARED' };
    const at = this.days.at(day, MORNING + 14_000);
    // Also where the step was carried out at a start before: the answer is then the first one again.
    const open = async (service: PastService): Promise<string> => {
      const idempotencyKey = `demo-history-${type}-${userId}`;
      const opened = await service.call({
        ...{ at, method: 'POST', path: `${this.operatorPath}/data-requests`, idempotencyKey },
        ...{ token: this.about.demo.operatorToken, body: { subject: `email:${email}`, type, jurisdiction, ...more } },
      });
      return String(opened['id']);
    };
    this.planned.push({ at, run: async (service) => void (await open(service)) });
    for (const [i, [act, on, body]] of then.entries())
      this.add(on, MORNING + 15_000 + i * 600, async (service, at, key) => {
        const id = await open(service);
        await service.call({
          ...{ at, method: 'POST', path: `${this.operatorPath}/data-requests/${id}/${act}`, idempotencyKey: key },
          ...{ token: this.about.demo.operatorToken, ...(body && { body }) },
        });
      });
  }

  // How it is planned.

  private add(
    day: number,
    second: number,
    run: (service: PastService, at: Instant, key: string) => Promise<void>,
  ): void {
    const at = this.days.at(day, second);
    this.planned.push({ at, run: (service, key) => run(service, at, key) });
  }

  private server(day: number, second: number, method: 'POST', path: string, body: object): void {
    this.add(day, second, async (service, at, key) => {
      await service.call({ at, method, path, token: this.about.demo.secretKey, idempotencyKey: key, body });
    });
  }

  private operator(day: number, second: number, method: 'GET' | 'POST', path: string, body?: object): void {
    this.add(day, second, async (service, at, key) => {
      await service.call({
        ...{ at, method, path: `${this.operatorPath}${path}`, token: this.about.demo.operatorToken },
        ...(body && { body, idempotencyKey: key }),
      });
    });
  }

  private below(most: number): number {
    return Math.floor(this.random() * most);
  }

  private second(): number {
    return MORNING + this.below(OPEN_SECONDS);
  }

  private visitor(): Visitor {
    const country = PLACES[this.below(PLACES.length)]!;
    return { id: this.visitorId(), from: this.fromOf(country), locale: LOCALES[country] };
  }

  private visitorId(): string {
    return Array.from({ length: 32 }, () => this.below(16).toString(16)).join('');
  }

  private fromOf(country: string, gpc = false): From {
    return {
      country,
      ...(country === 'US' && { region: 'US-CA' }),
      ip: `${NETWORKS[this.below(NETWORKS.length)]}.${1 + this.below(250)}`,
      userAgent: AGENTS[this.below(AGENTS.length)]!,
      gpc,
    };
  }
}

/** Numbers from 0 to below 1 of which every run of some dozens has its share in each range: few are never so few as by chance. */
const spread = (n: number, by: number): number => (n * by) % 1;
const GOLDEN = (Math.sqrt(5) - 1) / 2;

const ref = ({ email }: Person): string => encodeURIComponent(`email:${email}`);
const placeOf = ({ country, region }: From) => ({ country, ...(region && { region }), source: 'DETECTED' });
const inPreferenceCentre = (locale: string) => ({
  method: 'TOGGLE',
  surface: 'PREFERENCE_CENTER',
  url: `${SHOP}/account/privacy`,
  locale,
});
