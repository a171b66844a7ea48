import { useId, useState } from 'react'
import Cropper, { type Area, type Point } from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import styles from './crop-field.module.css'
import kit from '../ui/kit.module.css'

type Props = {
  /** The URL of the picture. */
  picture: string
  /** The part of the picture to keep, in percent of its width and height. */
  onChange: (cropArea: Area) => void
}

const MAX_ZOOM = 4
const KEY_STEP_PX = 8
const CENTER: Point = { x: 0, y: 0 }

/** Shows the picture in a circle, as it will appear. The user can drag it and zoom in. */
export function CropField({ picture, onChange }: Props) {
  const [position, setPosition] = useState(CENTER)
  const [zoom, setZoom] = useState(1)
  const hintId = useId()
  return (
    <div className={`${kit.stackSmall} ${styles.crop}`}>
      <div className={styles.picture}>
        <Cropper
          image={picture}
          crop={position}
          zoom={zoom}
          maxZoom={MAX_ZOOM}
          aspect={1}
          cropShape="round"
          objectFit="cover"
          showGrid={false}
          keyboardStep={KEY_STEP_PX}
          disableAutomaticStylesInjection
          classes={{ cropAreaClassName: styles.circle }}
          cropperProps={{
            role: 'application',
            'aria-label': 'Part of the picture',
            'aria-describedby': hintId,
          }}
          onCropChange={setPosition}
          onZoomChange={setZoom}
          onCropAreaChange={onChange}
        />
      </div>
      <p id={hintId} className={kit.note}>
        Drag, pinch, or use the arrow keys.
      </p>
      <label className={styles.zoom}>
        Zoom
        <input
          type="range"
          min={1}
          max={MAX_ZOOM}
          step={0.05}
          value={zoom}
          onChange={({ currentTarget }) => setZoom(Number(currentTarget.value))}
        />
      </label>
    </div>
  )
}
