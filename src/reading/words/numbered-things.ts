/** Nouns that are numbered rather than counted. */
export const NUMBERED_THING = new Set(
  `no nos nr number unit site room lot item type class phase section clause article level grade floor patient case line gate tank pump block house week form
   stage category annex file policy claim order invoice account bed well cow hall cabin boiler crane van version building apartment flat batch sample shift
   group team zone ward cell track platform route bus train flight contract ticket page table figure point question step chapter part volume round test trial
   day borehole bay berth door machine robot vehicle truck plot parcel schedule appendix tier band priority model serial ref code port dock pier pole tower turbine
   feeder transformer reactor lane street road box pallet container crate rack shelf locker key badge seat row column paragraph rule regulation form quarter
   issue release build sprint milestone package module vol fig sect art para chamber furnace kiln oven line shaft valve sensor meter gauge probe hole drum cylinder silo stall stand
   booth pitch court pool borehole station junction bridge tunnel exit terminal pen field barn stable herd ear tag study protocol arm cohort visit dose cycle
   questionnaire witness exhibit document drawing sheet revision rev plate specimen slide vial tube lift elevator entrance staircase window frame beam column slab
   wohnung zimmer halle stellplatz`.split(/\s+/),
)
