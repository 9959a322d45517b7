import type { IncomingHttpHeaders } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { KeyDirectory, NO_FRAMEWORKS, type SiteState } from '../../access/index.js';
import { CATALOGUE, type Catalogue, type CatalogueState } from '../../catalogue/index.js';
import {
  EFFECTIVE_CONSENT,
  type ConsentQuestion,
  type ConsentStanding,
  type EffectiveConsent,
} from '../../consent/index.js';
import { hashOf, type Instant, type Work } from '../../kernel/index.js';
import type { CalledRequest, Caller } from '../../http/caller.js';
import { stateAsked } from '../../http/state-read.js';
import { passedBy } from '../../http/answers/revalidated.js';
import { allRuleStarts } from '../../policy/index.js';
import type { FrameworkQuery } from '../dto.js';
import { standingOf, type SiteSaid, type Standing } from '../standing/standing.js';
import { deletedBy } from '../tcf/declared.js';
import type { GrantedPurpose } from '../vendor-list/agreed-list.js';
import { PROVIDER_LIST, type ProviderList } from '../vendor-list/providers.js';
import { VendorLists, type VendorList } from '../vendor-list/vendor-lists.js';

/** The question for a framework string. */
export type FrameworkQuestion = Omit<ConsentQuestion, 'caller'> & { caller: Caller };

/** Everything that strings are made of. */
export interface Ground {
  standing: Standing;
  catalogue: CatalogueState;
  list: VendorList;
  providers: ProviderList;
}

/** `ground` is null if the caller has this answer already. */
export interface FrameworkFound {
  etag: string;
  ground: Ground | null;
}

/**
 * Raise it with any change after which the same state, catalogue, list and settings give another string, so that no cache
 * takes an answer of an older release for current.
 */
const FRAMEWORKS_VIEW_VERSION = 2;

/** Reads what strings are made of, by the rules and with the ETags of the state of consent. */
@Injectable()
export class FrameworkReader {
  constructor(
    @Inject(EFFECTIVE_CONSENT) private readonly consent: EffectiveConsent,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    private readonly directory: KeyDirectory,
    private readonly lists: VendorLists,
    @Inject(PROVIDER_LIST) private readonly providers: ProviderList,
  ) {}

  /** The question of a request. It heeds the same headers as a question for the state. */
  question(
    query: FrameworkQuery,
    { headers, reference }: { headers: IncomingHttpHeaders } & CalledRequest,
    caller: Caller,
    work: Work,
  ): FrameworkQuestion {
    const { subject, country, region } = query;
    const place = { ...(country !== undefined && { country }), ...(region !== undefined && { region }) };
    return {
      caller,
      // The reference that the guard read and decided by: a second parse could name another subject.
      ref: reference ?? subject,
      asked: this.consent.asked(headers, caller, place),
      options: stateAsked(query, headers, work),
    };
  }

  /** `name`: of the wanted string, since each has ETags of its own. */
  async find(name: string, question: FrameworkQuestion): Promise<FrameworkFound> {
    const { caller, options } = question;
    const list = await this.lists.inUse(caller, options.asOf);
    const site = said(this.directory.site(caller.site));
    const besides = (at: Instant): string =>
      [
        `${name}${FRAMEWORKS_VIEW_VERSION}`,
        list.digest.slice(0, 12),
        deletedBy(list.content, at),
        this.providers.version.slice(0, 12),
        site.digest,
        passedBy(allRuleStarts(), at),
      ].join('.');
    const { etag, standing: consent } = await this.consent.find(question, besides);
    if (!consent) return { etag, ground: null };
    const catalogue = this.catalogue.of(caller);
    // The tag determines this list, since it covers the grants, the catalogue and the list in use.
    const agreed = await this.lists.agreedTo(caller, list, grantedIn(consent), consent.at);
    return {
      etag,
      ground: { standing: standingOf(consent, catalogue, site), catalogue, list: agreed, providers: this.providers },
    };
  }

  /** A site's statements about itself in strings. */
  site(caller: Caller): SiteSaid {
    return said(this.directory.site(caller.site));
  }
}

const grantedIn = ({ purposes }: ConsentStanding): GrantedPurpose[] =>
  Object.entries(purposes).flatMap(([key, { state, givenAt }]) =>
    state === 'GRANTED' && givenAt !== null ? [{ key, givenAt }] : [],
  );

type Said = SiteSaid & { digest: string };
const known = new WeakMap<SiteState['settings'], Said>();

/** Cached until the settings change. */
function said(site: SiteState | undefined): Said {
  const { settings } = site!;
  let made = known.get(settings);
  if (!made) {
    const { frameworks = NO_FRAMEWORKS, defaultLocale: locale } = settings;
    made = { settings: frameworks, locale, digest: hashOf({ frameworks, locale }).slice(-8) };
    known.set(settings, made);
  }
  return made;
}
