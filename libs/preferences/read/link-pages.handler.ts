import { Inject } from '@nestjs/common';
import { QueryHandler, type IQueryHandler } from '@nestjs/cqrs';
import { KeyDirectory, brandOfSite } from '../../access/index.js';
import { CATALOGUE, templateInForce, templateView, type Catalogue } from '../../catalogue/index.js';
import type { Stream } from '../../streams/stream.js';
import { CLOCK, isRefusal, subjectStream, type Clock, type Scope } from '../../kernel/index.js';
import { Vault } from '../../vault/vault.js';
import { followToRead, standingOf } from '../../subjects/index.js';
import { languageOf } from '../../pages/languages.js';
import { ConfirmationIndex } from '../confirmation-index.js';
import { knownChannels } from '../known-channels.js';
import { isUnsubscribed, linkStanding, topicsOfLink } from '../links/link-standing.js';
import { hashOfToken, PreferenceLinks } from '../links/links.js';
import { labelIn, standingTopics } from '../links/link-topics.js';
import { onwardOf } from '../onward.js';
import type { ConfirmPageModel, StandingTopics, UnsubscribePageModel } from '../pages/model.js';
import { GetConfirmPage, GetUnsubscribePage } from '../pages/queries.js';
import { PREFERENCE_STREAMS, type FoldedByPreferences, type PreferenceState } from '../state.js';
import { unsubscribeText } from '../texts/confirmation.js';
import { undoOffer } from '../links/undo-offer.js';
import { undoableNow, undoableUnsubscribing } from '../links/undo-standing.js';
import { topicOf } from '../view.js';

type Streams = Stream<PreferenceState, FoldedByPreferences>;

/** The state behind a link, folded from the streams: a page must not be older than the click before it. Null for whom was erased. */
async function stateOf(streams: Streams, scope: Scope, subjectId: string): Promise<PreferenceState | null> {
  const { root } = await followToRead(subjectId, async (id) => (await streams.load(subjectStream(scope, id))).state);
  return standingOf(root.state).erasedAt === null ? root.state : null;
}

const NOT_VALID = { text: null, redirectUrl: null, brand: null, undo: null, standing: null };

/** What the page says of a link that was used: whether what it did still stands. */
function usedState(isUndone: boolean, { gets, getsNot }: StandingTopics): 'confirmed' | 'changed' | 'undone' {
  if (getsNot.length === 0) return 'confirmed';
  return isUndone && gets.length === 0 ? 'undone' : 'changed';
}

@QueryHandler(GetConfirmPage)
export class GetConfirmPageHandler implements IQueryHandler<GetConfirmPage> {
  constructor(
    @Inject(PREFERENCE_STREAMS) private readonly streams: Streams,
    private readonly index: ConfirmationIndex,
    private readonly links: PreferenceLinks,
    private readonly vault: Vault,
    private readonly directory: KeyDirectory,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ token }: GetConfirmPage): Promise<ConfirmPageModel> {
    const tokenHash = hashOfToken(token);
    const known = tokenHash === null ? null : await this.index.find(tokenHash);
    const state = known && (await stateOf(this.streams, known.scope, known.subjectId));
    if (!known || !state) return { ...NOT_VALID, state: 'invalid', token };
    const { scope, subjectId } = known;
    const at = this.clock();
    const link = linkStanding(known.requestId, tokenHash!, state, at);
    if (isRefusal(link) && link.code === 'token_invalid') return { ...NOT_VALID, state: 'ended', token };
    const request = state.requests[known.requestId]!;
    const redirectUrl = await onwardOf(request, scope, this.vault, this.directory);
    const { text, fields } = request;
    const view = templateView(templateInForce(this.catalogue.of(scope), at), [text.language]);
    const standing = standingTopics(fields, view, state, at);
    return {
      state: isRefusal(link) ? 'expired' : link === 'OPEN' ? 'open' : usedState(link === 'UNDONE', standing),
      text,
      token,
      redirectUrl,
      standing,
      brand: brandOfSite(this.directory, scope.site, text.language),
      undo: undoOffer(
        this.links,
        { scope, subjectId, locale: text.language },
        undoableNow(request.recordId, state, at),
      ),
    };
  }
}

@QueryHandler(GetUnsubscribePage)
export class GetUnsubscribePageHandler implements IQueryHandler<GetUnsubscribePage> {
  constructor(
    @Inject(PREFERENCE_STREAMS) private readonly streams: Streams,
    private readonly links: PreferenceLinks,
    private readonly directory: KeyDirectory,
    @Inject(CATALOGUE) private readonly catalogue: Catalogue,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  async execute({ token }: GetUnsubscribePage): Promise<UnsubscribePageModel> {
    const claim = this.links.claimOf(token);
    const state = claim && (await stateOf(this.streams, claim.scope, claim.subjectId));
    if (!claim || !state) return { ...NOT_VALID, state: 'invalid', token };
    const at = this.clock();
    const published = templateInForce(this.catalogue.of(claim.scope), at);
    const view = templateView(published, [languageOf([claim.locale]), claim.locale]);
    const paths = topicsOfLink(
      claim.channel,
      claim.topics,
      knownChannels(published).find(({ key }) => key === claim.channel)?.topics ?? [],
      state,
    );
    const brand = brandOfSite(this.directory, claim.scope.site, languageOf([claim.locale]));
    const text = unsubscribeText({
      locales: [claim.locale],
      siteName: brand?.name ?? claim.scope.site,
      channel: view.channels.find(({ key }) => key === claim.channel)?.label ?? claim.channel,
      topics: paths.map((path) => ({ label: labelIn(view, topicOf(path)) })),
    });
    const undoable = undoableUnsubscribing(paths, state, at);
    return {
      state: isUnsubscribed(paths, state, at) ? 'done' : 'open',
      text,
      token,
      brand,
      undo: undoOffer(this.links, { scope: claim.scope, subjectId: claim.subjectId, locale: claim.locale }, undoable),
    };
  }
}
