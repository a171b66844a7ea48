import { WIDGET_PATH } from '@tatami/contract/public-page/public-page'

/** A script for other sites, which puts a frame in its place and lets it grow with the page.
 *  `<script src="…/embed.js" data-dojo="…" data-show="trial">` */
export const EMBED_SCRIPT = `(() => {
  const script = document.currentScript
  const { dojo, show } = script.dataset
  const page = show === 'trial' ? 'trial' : 'timetable'
  const server = new URL(script.src).origin
  const frame = document.createElement('iframe')
  frame.src = server + '${WIDGET_PATH}/' + encodeURIComponent(dojo) + '/' + page
  frame.title = page === 'trial' ? 'Book a trial' : 'Timetable'
  frame.style.cssText = 'width:100%;height:600px;border:0'
  addEventListener('message', ({ origin, source, data }) => {
    if (origin !== server || source !== frame.contentWindow) return
    const height = Number(data && data.tatamiHeight)
    if (height > 0) frame.style.height = Math.min(height, 20000) + 'px'
  })
  script.after(frame)
})()
`
