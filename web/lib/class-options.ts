import { timeRange, type DojoClass } from '@tatami/contract/classes/classes'

/** The options of a select. If two classes have the same name, their labels include the time. */
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
