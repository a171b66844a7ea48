import { Button, TextInput } from '@mantine/core'
import { picturesApi, TOO_LIGHT } from '@tatami/contract/pictures/pictures'
import { isVisibleOnWhite } from '@tatami/contract/pictures/contrast'
import { profileApi } from '@tatami/contract/profile/profile'
import { useState } from 'react'
import { failureMessage } from '../lib/api.ts'
import { useCurrentUser } from '../lib/current-user.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { ErrorNotice } from '../ui/notices.tsx'
import { Sheet } from '../ui/sheet.tsx'
import { SchoolMark } from '../ui/school-mark.tsx'
import { ChoosePicture } from './choose-picture.tsx'
import { toJpeg } from './picture-file.ts'
import kit from '../ui/kit.module.css'

const MUTATION_OPTIONS = { refreshes: [profileApi.show], waitsForRefresh: true }
const SAVE_FAILED = 'This could not be saved. Please try again.'

export function SchoolLookSheet({ onClose }: { onClose: () => void }) {
  const user = useCurrentUser()
  return (
    <Sheet opened onClose={onClose} title="Logo and color">
      <div className={kit.stackSmall}>
        <p>They appear on the join page, the kiosk, receipts, certificates, and emails.</p>
        <div className={`${kit.card} ${kit.sunken}`}>
          <SchoolMark look={user} name={user.dojo_name} />
        </div>
        <LogoButtons hasLogo={user.dojo_logo !== null} />
        <ColorChoice key={user.dojo_color} color={user.dojo_color} />
      </div>
    </Sheet>
  )
}

function LogoButtons({ hasLogo }: { hasLogo: boolean }) {
  const save = useEndpointMutation(picturesApi.setLogo, MUTATION_OPTIONS)
  const remove = useEndpointMutation(picturesApi.removeLogo, MUTATION_OPTIONS)
  const isBusy = save.isPending || remove.isPending
  return (
    <>
      <div className={kit.row}>
        <ChoosePicture
          label={hasLogo ? 'Change logo' : 'Choose a logo'}
          disabled={isBusy}
          onPicture={(picture) => save.mutate({ body: { picture: toJpeg(picture) } })}
        />
        {hasLogo && (
          <BusyButton
            variant="subtle"
            color="red"
            busy={remove.isPending}
            busyLabel="Removing..."
            onClick={() => remove.mutate()}
          >
            Remove logo
          </BusyButton>
        )}
      </div>
      <ErrorNotice>
        {failureMessage({ error: save.error ?? remove.error }, SAVE_FAILED)}
      </ErrorNotice>
    </>
  )
}

/** A color field cannot be empty, so it starts with this dark blue. */
const START_COLOR = '#1e3a8a'

function ColorChoice({ color }: { color: string | null }) {
  const [chosenColor, setChosenColor] = useState(color ?? START_COLOR)
  const save = useEndpointMutation(picturesApi.setColor, MUTATION_OPTIONS)
  const isTooLight = !isVisibleOnWhite(chosenColor)
  return (
    <>
      <div className={kit.row} style={{ alignItems: 'flex-end' }}>
        <TextInput
          type="color"
          label="Color"
          w="6rem"
          value={chosenColor}
          onChange={({ currentTarget }) => setChosenColor(currentTarget.value)}
        />
        <BusyButton
          variant="default"
          busy={save.isPending}
          busyLabel="Saving..."
          disabled={chosenColor === color}
          onClick={() => isTooLight || save.mutate({ body: { color: chosenColor } })}
        >
          Use this color
        </BusyButton>
        {color !== null && (
          <Button
            variant="subtle"
            onClick={() => save.isPending || save.mutate({ body: { color: null } })}
          >
            No color
          </Button>
        )}
      </div>
      <ErrorNotice>{isTooLight ? TOO_LIGHT : failureMessage(save, SAVE_FAILED)}</ErrorNotice>
    </>
  )
}
