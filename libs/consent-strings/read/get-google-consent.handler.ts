import { Inject } from '@nestjs/common';
import { Query, QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { LRUCache } from 'lru-cache';
import { CATALOGUE, type Catalogue } from '../../catalogue/index.js';
import { passedBy } from '../../http/answers/revalidated.js';
import { allRuleStarts } from '../../policy/index.js';
import type { AdditionalConsentDto, GoogleConsentModeDto } from '../dto.js';
import { additionalConsent, providerChoices } from '../google/additional-consent.js';
import { googleConsentMode, GoogleRegions } from '../google/consent-mode.js';
import { FrameworkAnswers, type FrameworkAnswer } from './framework-answers.js';
import type { FrameworkQuestion, Ground } from './framework-reader.js';

/** Most catalogues whose places are cached. */
const REGIONS_KEPT = 100;

/** Google's consent mode for a subject. */
export class GetGoogleConsentMode extends Query<FrameworkAnswer<GoogleConsentModeDto>> {
  constructor(readonly question: FrameworkQuestion) {
    super();
  }
}

@QueryHandler(GetGoogleConsentMode)
export class GetGoogleConsentModeHandler implements IQueryHandler<GetGoogleConsentMode> {
  private readonly regions = new LRUCache<string, GoogleRegions>({ max: REGIONS_KEPT });

  constructor(
    private readonly answers: FrameworkAnswers,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
  ) {}

  async execute({ question }: GetGoogleConsentMode): Promise<FrameworkAnswer<GoogleConsentModeDto>> {
    return this.answers.answer('m', question, (ground) =>
      googleConsentMode(ground.standing, this.regionsOf(question, ground)),
    );
  }

  /** The places are the same for all subjects, until the catalogue or a law changes. */
  private regionsOf({ caller }: FrameworkQuestion, { standing, catalogue }: Ground): GoogleRegions {
    const { at, purposes } = standing;
    const { site, env } = caller;
    const name = `${site}.${env} ${this.catalogue.tag(caller, at)} ${passedBy(allRuleStarts(), at)}`;
    let regions = this.regions.get(name);
    if (!regions) this.regions.set(name, (regions = new GoogleRegions(catalogue, purposes, at)));
    return regions;
  }
}

/** Google's additional consent for a subject. */
export class GetAdditionalConsent extends Query<FrameworkAnswer<AdditionalConsentDto>> {
  constructor(readonly question: FrameworkQuestion) {
    super();
  }
}

@QueryHandler(GetAdditionalConsent)
export class GetAdditionalConsentHandler implements IQueryHandler<GetAdditionalConsent> {
  constructor(private readonly answers: FrameworkAnswers) {}

  async execute({ question }: GetAdditionalConsent): Promise<FrameworkAnswer<AdditionalConsentDto>> {
    return this.answers.answer('a', question, ({ standing, list, providers }) => ({
      addtlConsent: additionalConsent(providerChoices(standing, list.content, providers)),
      providerListVersion: providers.version,
      providerListSynthetic: providers.isSynthetic,
    }));
  }
}
