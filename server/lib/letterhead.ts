import { escapeHtml } from './html.ts'

/** What an email shows above its text: the school's name, color and logo. */
export type Letterhead = {
  name: string
  color: string | null
  logo: { media_type: string; bytes: Buffer } | null
}

const LINK_PATTERN = /https?:\/\/[^\s<>"]+/g
const toHtml = (text: string) =>
  escapeHtml(text)
    .replaceAll(LINK_PATTERN, (url) => `<a href="${url}">${url}</a>`)
    .replaceAll('\n', '<br>')

const LOGO_ID = 'logo'
const DEFAULT_LINE_COLOR = '#7c3aed'

/** Puts the letterhead above the text. The logo is attached, because a linked logo would tell the
 *  server when somebody opens the email. */
export function withLetterhead({ name, color, logo }: Letterhead, text: string) {
  const image = `<img src="cid:${LOGO_ID}" alt="" height="56" style="margin-right:12px">`
  const html = `<!doctype html>
<div style="max-width:36rem;margin:0 auto;font:16px/1.5 system-ui,sans-serif;color:#24201b">
<p style="margin:0 0 16px;padding:0 0 12px;border-bottom:4px solid ${color ?? DEFAULT_LINE_COLOR}">
${logo ? image : ''}<b>${escapeHtml(name)}</b></p>
<p style="margin:0">${toHtml(text)}</p>
</div>`
  const attachment = logo && {
    filename: `logo.${logo.media_type.replace('image/', '')}`,
    content: logo.bytes,
    contentType: logo.media_type,
    cid: LOGO_ID,
    contentDisposition: 'inline' as const,
  }
  return { html, ...(attachment && { attachments: [attachment] }) }
}
