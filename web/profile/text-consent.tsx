import { Checkbox, type CheckboxProps } from '@mantine/core'
import { mustExist } from '@tatami/contract/lib/must-exist'
import { JOIN_WORDING_VERSION } from '@tatami/contract/texting/consent-versions'
import { wordingOf } from '@tatami/contract/texting/consent-wordings'

export function TextConsent(props: CheckboxProps) {
  const wording = mustExist(wordingOf(JOIN_WORDING_VERSION), 'The wording of the join page')
  const { title, opening } = wording
  return <Checkbox {...props} size="md" label={title} description={opening} />
}
