import { timeRange, type DojoClass } from '@tatami/contract/classes/classes'

/** The options of a select. A class has its time in the label if another class in `allClasses` has
 *  the same name. */
export const classOptions = (classes: readonly DojoClass[], allClasses = classes) =>
  classes.map((dojoClass) => {
    const isUnique = allClasses.every(
      ({ id, class_name }) => id === dojoClass.id || class_name !== dojoClass.class_name,
    )
    return {
      value: dojoClass.id,
      label: isUnique ? dojoClass.class_name : `${dojoClass.class_name}, ${timeRange(dojoClass)}`,
    }
  })
