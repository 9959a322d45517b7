import { canonicalJson, countryOf } from '../../kernel/index.js';
import type { DocumentFile } from '../files/document-file.js';
import type { BannerButton, BannerDefinition, BannerPresentation, PresentationName } from './definition.js';
import { BannerFileDto, type BannerPresentationFileDto } from './file-dto.js';

const button = (action: BannerButton['action'], layer: number, emphasis: BannerButton['emphasis']): BannerButton => ({
  action,
  layer,
  emphasis,
});

const BUTTONS: Readonly<Record<PresentationName, readonly BannerButton[]>> = {
  optIn: [
    button('ACCEPT_ALL', 1, 'PRIMARY'),
    button('REJECT_ALL', 1, 'PRIMARY'),
    button('CUSTOMIZE', 1, 'SECONDARY'),
    button('SAVE', 2, 'PRIMARY'),
  ],
  optOut: [button('ACKNOWLEDGE', 1, 'PRIMARY'), button('DO_NOT_SELL', 1, 'PRIMARY')],
  noticeOnly: [button('ACKNOWLEDGE', 1, 'PRIMARY')],
};
const WAIT_FOR_UPDATE_MS = 500;

/** `banner.yaml`. */
export const BANNER_FILE: DocumentFile<BannerDefinition, BannerFileDto> = {
  contract: BannerFileDto,
  about: 'The banner.',
  definitionOf,
  fileOf,
};

function definitionOf(file: BannerFileDto): BannerDefinition {
  const { presentations, links = {}, behaviour = {}, theme = {} } = file;
  const { optIn, optOut, noticeOnly } = presentations;
  return {
    defaultLocale: file.defaultLocale,
    layout: file.layout ?? 'BOX',
    position: file.position ?? 'BOTTOM',
    presentations: {
      optIn: presentationOf(optIn, 'optIn'),
      optOut: optOut ? presentationOf(optOut, 'optOut') : null,
      noticeOnly: noticeOnly ? presentationOf(noticeOnly, 'noticeOnly') : null,
    },
    labels: { ...file.labels },
    purposeKeys: file.purposeKeys ?? null,
    links: { privacyPolicy: links.privacyPolicy ?? null, imprint: links.imprint ?? null },
    behaviour: {
      dismiss: behaviour.dismiss ?? 'REJECT',
      scrollLock: behaviour.scrollLock ?? false,
      resurfaceAfterDays: behaviour.resurfaceAfterDays ?? null,
      reopen: behaviour.reopen ?? 'LINK',
    },
    theme: {
      light: { ...theme.light },
      dark: { ...theme.dark },
      radiusPx: theme.radiusPx ?? null,
      fontFamily: theme.fontFamily ?? null,
    },
    google: { waitForUpdateMs: file.google?.waitForUpdateMs ?? WAIT_FOR_UPDATE_MS },
    tcf: {
      publisherCountry: file.tcf ? countryOf(file.tcf.publisherCountry) : null,
      ...(file.tcf?.vendors && { vendors: file.tcf.vendors }),
    },
  };
}

const presentationOf = (
  { title, body, buttons }: BannerPresentationFileDto,
  name: PresentationName,
): BannerPresentation => ({ title, body, buttons: buttons ?? BUTTONS[name] });

function fileOf(definition: BannerDefinition): BannerFileDto {
  const { defaultLocale, layout, position, presentations, labels, purposeKeys, links, google, tcf } = definition;
  const { behaviour, theme } = definition;
  const { optIn, optOut, noticeOnly } = presentations;
  const own = {
    links: {
      ...(links.privacyPolicy && { privacyPolicy: links.privacyPolicy }),
      ...(links.imprint && { imprint: links.imprint }),
    },
    behaviour: {
      ...(behaviour.dismiss !== 'REJECT' && { dismiss: behaviour.dismiss }),
      ...(behaviour.scrollLock && { scrollLock: true }),
      ...(behaviour.resurfaceAfterDays !== null && { resurfaceAfterDays: behaviour.resurfaceAfterDays }),
      ...(behaviour.reopen !== 'LINK' && { reopen: behaviour.reopen }),
    },
    theme: {
      ...(isSaid(theme.light) && { light: theme.light }),
      ...(isSaid(theme.dark) && { dark: theme.dark }),
      ...(theme.radiusPx !== null && { radiusPx: theme.radiusPx }),
      ...(theme.fontFamily !== null && { fontFamily: theme.fontFamily }),
    },
  };
  return {
    defaultLocale,
    ...(layout !== 'BOX' && { layout }),
    ...(position !== 'BOTTOM' && { position }),
    presentations: {
      optIn: presentationFile(optIn, 'optIn'),
      ...(optOut && { optOut: presentationFile(optOut, 'optOut') }),
      ...(noticeOnly && { noticeOnly: presentationFile(noticeOnly, 'noticeOnly') }),
    },
    labels: labels as BannerFileDto['labels'],
    ...(purposeKeys && { purposeKeys: [...purposeKeys] }),
    ...(isSaid(own.links) && { links: own.links }),
    ...(isSaid(own.behaviour) && { behaviour: own.behaviour }),
    ...(isSaid(own.theme) && { theme: own.theme }),
    ...(google.waitForUpdateMs !== WAIT_FOR_UPDATE_MS && { google }),
    ...(tcf.publisherCountry !== null && {
      tcf: { publisherCountry: tcf.publisherCountry, ...(tcf.vendors && { vendors: [...tcf.vendors] }) },
    }),
  };
}

const isSaid = (members: object): boolean => Object.keys(members).length > 0;

const presentationFile = (
  { title, body, buttons }: BannerPresentation,
  name: PresentationName,
): BannerPresentationFileDto => ({
  title,
  body,
  ...(canonicalJson(buttons) !== canonicalJson(BUTTONS[name]) && { buttons: [...buttons] }),
});
