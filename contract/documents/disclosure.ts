/** What a signer agrees to before the text of a document, with a tick of its own. Each signature
 *  stores the version. Give changed words a new version, and keep the old words. */
export const DISCLOSURE_VERSION = '2026-11'

const DISCLOSURES: Record<string, readonly string[]> = {
  '2026-11': [
    'You read and sign this paper on a screen. The school keeps it as an electronic record.',
    'You may sign on paper instead. Ask the school for a printed copy, sign it and hand it in.',
    'You may change your mind about signing on a screen at any time. Tell the school. What you ' +
      'signed before stays signed.',
    'Copies are free. You get one as soon as you have signed, and the school gives you more if ' +
      'you ask.',
    'You need a phone or a computer that can open web pages and PDF files.',
  ],
}

export const disclosureLines = (version: string): readonly string[] => DISCLOSURES[version] ?? []

export const DISCLOSURE_AGREEMENT = 'I agree to read and sign on a screen'
