/** Whether a document is also held against claims that were replaced; they come flagged `superseded`. */
export const comparesSuperseded: boolean = false
