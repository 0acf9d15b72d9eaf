/** Vocabulary of the invented companies: every name and domain is put together from these. */

export const FIRST_WORDS =
  `Amber Anchor Apex Arbor Arctic Aspen Atlas Autumn Azure Beacon Birch Blue Bold Boulder Brass Bright
Bronze Canyon Cardinal Cedar Chalk Cinder Clear Clover Coastal Cobalt Copper Coral Crescent Crimson
Crown Crystal Dawn Deep Delta Drift Dune Eagle East Echo Elder Elm Ember Emerald Evergreen Falcon Fern
Field First Flint Forest Foundry Fox Frost Garnet Gentle Glacier Golden Granite Green Grove Harbor
Harvest Hawthorn Hazel Heron Highland Hollow Horizon Indigo Iron Island Ivory Jade Juniper Keystone
Lake Lantern Larch Laurel Linden Lively Lunar Lynx Maple Marble Meadow Mesa Midland Mint Mistral Moss
Mountain Navy Nimble Noble North Nova Oak Ocean Olive Onyx Opal Orchard Osprey Otter Pacific Pebble
Pine Plain Polar Poplar Prairie Prime Quartz Quick Quiet Rapid Raven Red Ridge River Robin Rowan Royal
Ruby Saffron Sage Sand Scarlet Sequoia Shore Sierra Silver Slate Snow Solar South Spring Spruce Steady
Sterling Stone Summit Sunny Swift Tall Teal Terra Thistle Tidal Timber True Tundra Twin Upper Urban
Valley Velvet Vista Walnut Warm West White Wild Willow Winter Wren Yellow Zephyr`.split(/\s+/);

export const SECOND_WORDS =
  `Arch Bank Barn Basin Bay Beam Bell Bench Berry Bird Blossom Bluff Branch Brick Bridge Brook Cabin
Cape Castle Chart Circle Cliff Cloud Coast Compass Corner Cove Craft Creek Crest Crossing Current Dale
Deck Dock Dome Door Edge Engine Falls Farm Fence Ferry Field Finch Fjord Flame Flow Ford Forge Frame
Front Garden Gate Glade Glen Grain Guild Gulf Hall Hammer Harbor Haven Hearth Hedge Hill Hive House
Inlet Junction Key Kiln Knoll Ladder Lagoon Landing Lane Leaf Ledge Light Line Link Loch Lodge Loft
Loom Market Marsh Mast Meadow Mile Mill Mine Mirror Moor Nest Oar Orbit Oven Paddle Pass Path Peak Pier
Pillar Pilot Place Point Pond Port Post Press Quarry Quay Quill Range Reach Reef Ridge Ring Road Rock
Roof Root Row Sail Scale Shelf Shell Shore Signal Sky Spire Spoke Square Stack Star Station Stem Step
Stream Street Table Tide Tower Track Trail Tree Vale Vault View Village Wall Ward Water Wave Way Well
Wharf Wheel Wing Wood Works Yard`.split(/\s+/);

/** What a company does: the word behind its name, and its industry. */
export const TRADES: ReadonlyArray<{ readonly word: string; readonly industry: string }> = [
  { word: 'Analytics', industry: 'Software' },
  { word: 'Apparel', industry: 'Retail' },
  { word: 'Bikes', industry: 'Consumer Goods' },
  { word: 'Books', industry: 'Media' },
  { word: 'Capital', industry: 'Financial Services' },
  { word: 'Care', industry: 'Healthcare' },
  { word: 'Chemicals', industry: 'Manufacturing' },
  { word: 'Cloud', industry: 'Software' },
  { word: 'Coffee', industry: 'Food and Beverage' },
  { word: 'Consulting', industry: 'Professional Services' },
  { word: 'Data', industry: 'Software' },
  { word: 'Dental', industry: 'Healthcare' },
  { word: 'Digital', industry: 'Marketing' },
  { word: 'Energy', industry: 'Energy' },
  { word: 'Events', industry: 'Media' },
  { word: 'Foods', industry: 'Food and Beverage' },
  { word: 'Freight', industry: 'Logistics' },
  { word: 'Furniture', industry: 'Consumer Goods' },
  { word: 'Games', industry: 'Media' },
  { word: 'Health', industry: 'Healthcare' },
  { word: 'Homes', industry: 'Real Estate' },
  { word: 'Hotels', industry: 'Travel' },
  { word: 'Insurance', industry: 'Financial Services' },
  { word: 'Labs', industry: 'Software' },
  { word: 'Learning', industry: 'Education' },
  { word: 'Legal', industry: 'Professional Services' },
  { word: 'Logistics', industry: 'Logistics' },
  { word: 'Media', industry: 'Media' },
  { word: 'Metals', industry: 'Manufacturing' },
  { word: 'Mobility', industry: 'Automotive' },
  { word: 'Outdoor', industry: 'Retail' },
  { word: 'Payments', industry: 'Financial Services' },
  { word: 'Pharma', industry: 'Healthcare' },
  { word: 'Robotics', industry: 'Manufacturing' },
  { word: 'Schools', industry: 'Education' },
  { word: 'Security', industry: 'Software' },
  { word: 'Sports', industry: 'Retail' },
  { word: 'Studio', industry: 'Marketing' },
  { word: 'Systems', industry: 'Software' },
  { word: 'Textiles', industry: 'Manufacturing' },
  { word: 'Tools', industry: 'Manufacturing' },
  { word: 'Travel', industry: 'Travel' },
];

export const INDUSTRIES: readonly string[] = [
  ...new Set(TRADES.map((trade) => trade.industry)),
].sort();

/** Countries with the top-level domain their companies use beside the general ones. */
export const COUNTRIES: ReadonlyArray<{ readonly name: string; readonly tld: string }> = [
  { name: 'United States', tld: 'com' },
  { name: 'United States', tld: 'io' },
  { name: 'United States', tld: 'com' },
  { name: 'Canada', tld: 'ca' },
  { name: 'United Kingdom', tld: 'co.uk' },
  { name: 'Germany', tld: 'de' },
  { name: 'France', tld: 'fr' },
  { name: 'Netherlands', tld: 'nl' },
  { name: 'Sweden', tld: 'se' },
  { name: 'Spain', tld: 'es' },
  { name: 'Italy', tld: 'it' },
  { name: 'Poland', tld: 'pl' },
  { name: 'Australia', tld: 'com.au' },
  { name: 'Japan', tld: 'co.jp' },
  { name: 'Brazil', tld: 'com.br' },
  { name: 'India', tld: 'in' },
];

/** What companies of a country have behind their name; elsewhere `Inc.`. */
export const LEGAL_FORMS: Readonly<Record<string, string>> = {
  'United Kingdom': 'Ltd',
  Germany: 'GmbH',
  France: 'SAS',
  Netherlands: 'B.V.',
  Sweden: 'AB',
  Spain: 'S.L.',
  Italy: 'S.p.A.',
  Poland: 'sp. z o.o.',
  Australia: 'Pty Ltd',
  Japan: 'K.K.',
  Brazil: 'Ltda.',
  India: 'Pvt. Ltd.',
};

export const EMPLOYEE_RANGES = [
  '1-10',
  '11-50',
  '51-200',
  '201-500',
  '501-1000',
  '1001-5000',
  '5001-10000',
  '10001+',
] as const;

export const INVESTORS = FIRST_WORDS.filter((_, index) => index % 4 === 0).map(
  (word, index) => `${word} ${['Ventures', 'Capital', 'Partners', 'Growth'][index % 4]!}`,
);
