/** All other elements begin a new line. */
export const inline = new Set(
  'a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark nobr q rp rt ruby s samp slot small span strike strong sub sup time tt u var wbr'.split(
    ' ',
  ),
)
