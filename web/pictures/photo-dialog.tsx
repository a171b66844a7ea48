import { firstName } from '@tatami/contract/lib/name-parts'
import { familiesApi } from '@tatami/contract/families/families'
import { picturesApi } from '@tatami/contract/pictures/pictures'
import { profileApi } from '@tatami/contract/profile/profile'
import { studentsApi } from '@tatami/contract/students/students'
import { type SyntheticEvent, useState } from 'react'
import type { Area } from 'react-easy-crop'
import { failureMessage } from '../lib/api.ts'
import { isStaff, useCurrentUser } from '../lib/current-user.ts'
import { useEndpointMutation } from '../lib/query.ts'
import { BusyButton } from '../ui/busy-button.tsx'
import { Face, type StudentFace } from '../ui/face.tsx'
import { FormDialog } from '../ui/form-dialog.tsx'
import { ChoosePicture } from './choose-picture.tsx'
import { CropField } from './crop-field.tsx'
import styles from './photo-dialog.module.css'
import { cropPhoto, toPreviewUrl } from './picture-file.ts'
import kit from '../ui/kit.module.css'

const ENDPOINTS_WITH_PHOTOS = [
  studentsApi.list,
  studentsApi.show,
  familiesApi.home,
  profileApi.show,
]
const FACE_SIZE = 160

type Props = { student: StudentFace & { id: string }; onClose: () => void }
type ChosenPicture = { canvas: HTMLCanvasElement; preview: string }

export function PhotoDialog({ student, onClose }: Props) {
  const { id, name, photo } = student
  const [picture, setPicture] = useState<ChosenPicture | null>(null)
  const [cropArea, setCropArea] = useState<Area | null>(null)
  const options = { refreshes: ENDPOINTS_WITH_PHOTOS, waitsForRefresh: true, onSuccess: onClose }
  const save = useEndpointMutation(picturesApi.setPhoto, options)
  const remove = useEndpointMutation(picturesApi.removePhoto, options)
  const isBusy = save.isPending || remove.isPending
  const params = { id }
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (picture && cropArea && !isBusy)
      save.mutate({ params, body: { picture: cropPhoto(picture.canvas, cropArea) } })
  }
  const choose = (canvas: HTMLCanvasElement) => {
    setPicture({ canvas, preview: toPreviewUrl(canvas) })
    setCropArea(null)
  }
  return (
    <FormDialog
      onClose={onClose}
      title={`Photo of ${name}`}
      onSubmit={submit}
      busy={save.isPending}
      error={failureMessage(
        { error: save.error ?? remove.error },
        'The photo could not be saved. Please try again.',
      )}
      submitLabel="Save photo"
      busyLabel="Saving..."
      isDirty={picture !== null}
      isReady={cropArea !== null}
      extraAction={
        photo !== null &&
        !picture && (
          <RemoveButton
            isRemoving={remove.isPending}
            onClick={() => isBusy || remove.mutate({ params })}
          />
        )
      }
    >
      {picture ? (
        <CropField key={picture.preview} picture={picture.preview} onChange={setCropArea} />
      ) : (
        <div className={styles.face}>
          <Face student={student} size={FACE_SIZE} />
        </div>
      )}
      <div className={styles.sources}>
        <ChoosePicture
          label={picture ? 'Choose another picture' : 'Choose a picture'}
          hasCamera
          disabled={isBusy}
          onPicture={choose}
        />
      </div>
      <WhoSeesPhoto name={firstName(name)} />
    </FormDialog>
  )
}

const RemoveButton = ({ isRemoving, onClick }: { isRemoving: boolean; onClick: () => void }) => (
  <BusyButton
    variant="subtle"
    color="red"
    busy={isRemoving}
    busyLabel="Removing..."
    onClick={onClick}
  >
    Remove photo
  </BusyButton>
)

function WhoSeesPhoto({ name }: { name: string }) {
  const user = useCurrentUser()
  return (
    <p className={kit.muted}>
      {isStaff(user) && 'Ask the family first. '}
      The instructors, {name}, and the guardians who may see {name}’s page can see this photo. The
      check-in tablet shows it for a few seconds when {name} checks in. No one else can see it.
    </p>
  )
}
