import { Checkbox, type CheckboxProps } from '@mantine/core'
import { JOIN_WORDING_VERSION } from '@tatami/contract/texting/consent-versions'
import { wordingOf } from '@tatami/contract/texting/consent-wordings'

/** The wording shown is the wording stored as agreed to. */
export function TextConsent(props: CheckboxProps) {
  const { title, opening } = wordingOf(JOIN_WORDING_VERSION)!
  return <Checkbox {...props} size="md" label={title} description={opening} />
}
