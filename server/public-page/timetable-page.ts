import type { Language } from '@tatami/contract/public-page/public-page'
import { addDays } from '@tatami/contract/lib/calendar-day'
import {
  classDatesBetween,
  type ClassDate,
  type DojoTime,
  type HolidayDays,
  isOver,
} from '@tatami/contract/calendar/timetable'
import { eq } from 'drizzle-orm'
import { readTimetable } from '../calendar/timetable/timetable.ts'
import type { Tx } from '../db/database.ts'
import { now } from '../lib/clock.ts'
import { escapeHtml } from '../lib/html.ts'
import { trialOffers } from '../trials/tables.ts'
import { renderDocument } from './document.ts'
import type { VisiblePage } from './find-page.ts'
import { formatDayIn, timeZoneName } from './language.ts'
import { listPagePhotos, type ShownPhoto } from './photos.ts'
import { structuredData } from './structured-data.ts'
import { PAGE_WORDS, type PageWords } from './words.ts'

const TIMETABLE_DAYS = 14

export type PublicTimetable = {
  dates: ClassDate[]
  holidays: HolidayDays[]
  offersTrials: boolean
  photos: ShownPhoto[]
}

/** The dates that are still to come, with those that are canceled. */
export async function readPublicTimetable(tx: Tx, dojoTime: DojoTime): Promise<PublicTimetable> {
  const lastDay = addDays(dojoTime.day, TIMETABLE_DAYS - 1)
  const timetable = await readTimetable(tx, dojoTime.day, lastDay)
  const dates = classDatesBetween(timetable, dojoTime.day, lastDay).filter(
    (date) => (date.status === 'on' || date.status === 'cancelled') && !isOver(date, dojoTime),
  )
  return {
    dates,
    holidays: timetable.holidays,
    photos: await listPagePhotos(tx),
    offersTrials: (await tx.$count(trialOffers, eq(trialOffers.is_on, true))) > 0,
  }
}

export type PageView = {
  language: Language
  /** Where the page's own links start: "/d/cedar-park" or, in a frame, "/w/…". */
  base: string
  isWidget: boolean
  publicUrl: string
}

export function renderTimetablePage(
  visiblePage: VisiblePage,
  timetable: PublicTimetable,
  view: PageView,
): string {
  const { page, school } = visiblePage
  const words = PAGE_WORDS[view.language]
  const body = view.isWidget
    ? renderDays(visiblePage, timetable, view)
    : `${renderIntroduction(visiblePage, timetable, view)}
<h2>${words.timetable}</h2>
${renderDays(visiblePage, timetable, view)}
${renderVisit(visiblePage, words)}`
  return renderDocument({
    language: view.language,
    title: page.headline === null ? school.name : `${school.name}: ${page.headline}`,
    school,
    home: view.isWidget ? null : view.base,
    ...(!view.isWidget && { head: renderHead(visiblePage, timetable, view) }),
    body,
    footer: view.isWidget ? undefined : renderFooter(view, words),
  })
}

const otherLanguage = (language: Language): Language => (language === 'en' ? 'es' : 'en')

/** A switch to the other language, and who made this page. */
export function renderFooter({ base, language }: PageView, words: PageWords): string {
  const switchTo = otherLanguage(language)
  const attributes = `href="${base}?lang=${switchTo}" lang="${switchTo}" hreflang="${switchTo}"`
  return `<p class="links"><a ${attributes}>${words.otherLanguage}</a></p>
<p>Tatami · © ${now().getFullYear()}</p>`
}

function renderHead(visiblePage: VisiblePage, timetable: PublicTimetable, view: PageView): string {
  const { page, school } = visiblePage
  const url = `${view.publicUrl}${view.base}`
  const description = page.about?.split('\n', 1)[0]?.slice(0, 160) ?? page.headline ?? school.name
  const data = JSON.stringify(structuredData(visiblePage, timetable.dates, url))
  return `<meta name="description" content="${escapeHtml(description)}">
<link rel="canonical" href="${url}">
<link rel="alternate" hreflang="en" href="${url}?lang=en">
<link rel="alternate" hreflang="es" href="${url}?lang=es">
<script type="application/ld+json">${data.replaceAll('<', String.raw`\u003c`)}</script>`
}

/** Marks what the school wrote with the language in which it writes. */
const inSchoolLanguage = (tag: string, { page }: VisiblePage, text: string, className = '') =>
  `<${tag} lang="${page.language}"${className && ` class="${className}"`}>${escapeHtml(text)}</${tag}>`

function renderIntroduction(
  visiblePage: VisiblePage,
  { offersTrials, photos }: PublicTimetable,
  view: PageView,
): string {
  const { page, school, city } = visiblePage
  const words = PAGE_WORDS[view.language]
  const parts = [
    inSchoolLanguage('h1', visiblePage, page.headline ?? school.name),
    city === null ? '' : `<p class="dim">${escapeHtml(city)}</p>`,
    page.about === null ? '' : inSchoolLanguage('p', visiblePage, page.about, 'pre'),
    offersTrials ? `<p>${trialLink(view, words.bookTrial)}</p>` : '',
    renderPhotos(visiblePage, photos),
  ]
  return parts.join('\n')
}

/** Small photos that load once they are near the screen. Each leads to the large one. */
function renderPhotos({ page }: VisiblePage, photos: readonly ShownPhoto[]): string {
  if (photos.length === 0) return ''
  const items = photos.map(
    ({ address, small_address, caption, width, height }) =>
      `<li><a href="${address}"><img src="${small_address}" width="${width}" height="${height}"
alt="${escapeHtml(caption)}" loading="lazy" decoding="async"></a></li>`,
  )
  return `<ul class="photos" lang="${page.language}">${items.join('')}</ul>`
}

const trialLink = ({ base, language }: PageView, text: string): string =>
  `<a class="button" href="${base}/trial?lang=${language}">${text}</a>`

function renderDays(
  visiblePage: VisiblePage,
  { dates, holidays }: PublicTimetable,
  { language }: PageView,
): string {
  const words = PAGE_WORDS[language]
  const datesByDay = Map.groupBy(dates, ({ day }) => day)
  const days = [...datesByDay].map(
    ([day, datesOfDay]) => `<h3>${formatDayIn(language, day)}</h3>
<ul class="rows">${datesOfDay.map((date) => renderDate(visiblePage, date, words)).join('')}</ul>`,
  )
  const closedDays = holidays.map(
    ({ name, first_day, last_day }) =>
      `<p class="note"><b>${escapeHtml(words.closed(name))}</b> ${formatDayIn(language, first_day)}${
        first_day === last_day ? '' : ` – ${formatDayIn(language, last_day)}`
      }</p>`,
  )
  return [
    ...closedDays,
    ...(days.length === 0 ? [`<p>${words.noClasses}</p>`] : days),
    renderZone(visiblePage.timeZone, language),
  ].join('\n')
}

/** Readers in the school's time zone do not see it, if their browser runs scripts. */
export const renderZone = (timeZone: string, language: Language): string =>
  `<p class="dim" data-zone="${escapeHtml(timeZone)}">${escapeHtml(
    PAGE_WORDS[language].zone(timeZoneName(language, timeZone, now())),
  )}</p>`

function renderDate(
  { page }: VisiblePage,
  { class_name, time, status, substitute }: ClassDate,
  words: PageWords,
): string {
  const isCanceled = status === 'cancelled'
  const teacher =
    substitute !== null && page.names_instructors
      ? `<span class="dim">${escapeHtml(words.with(substitute))}</span>`
      : ''
  return `<li${isCanceled ? ' class="off"' : ''}><div><time>${escapeHtml(time)}</time>
<b lang="${page.language}">${escapeHtml(class_name)}</b>${teacher}${
    isCanceled ? `<span>${words.canceled}</span>` : ''
  }</div></li>`
}

export function renderVisit(visiblePage: VisiblePage, words: PageWords): string {
  const { bring, address, map_url, phone } = visiblePage.page
  const links = [
    map_url === null ? '' : `<a href="${escapeHtml(map_url)}">${words.map}</a>`,
    phone === null ? '' : phoneLink(phone, words.call(phone)),
  ].join('')
  return [
    bring === null
      ? ''
      : `<h2>${words.bring}</h2>${inSchoolLanguage('p', visiblePage, bring, 'pre')}`,
    address === null && links === '' ? '' : `<h2>${words.visit}</h2>`,
    address === null ? '' : inSchoolLanguage('p', visiblePage, address),
    links && `<p class="links">${links}</p>`,
  ].join('\n')
}

export const phoneLink = (phone: string, text: string): string =>
  `<a href="tel:${phone.replaceAll(/[^+\d]/g, '')}">${escapeHtml(text)}</a>`
