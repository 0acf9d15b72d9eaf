/** Vocabulary of the invented companies. Every name and domain is a combination of these words. */

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

/** Last words of company names, by the industry of such a company. */
const TRADES_OF: Readonly<Record<string, string>> = {
  Automotive: 'Mobility',
  'Consumer Goods': 'Bikes Furniture',
  Education: 'Learning Schools',
  Energy: 'Energy',
  'Financial Services': 'Capital Insurance Payments',
  'Food and Beverage': 'Coffee Foods',
  Healthcare: 'Care Dental Health Pharma',
  Logistics: 'Freight Logistics',
  Manufacturing: 'Chemicals Metals Robotics Textiles Tools',
  Marketing: 'Digital Studio',
  Media: 'Books Events Games Media',
  'Professional Services': 'Consulting Legal',
  'Real Estate': 'Homes',
  Retail: 'Apparel Outdoor Sports',
  Software: 'Analytics Cloud Data Labs Security Systems',
  Travel: 'Hotels Travel',
};

/** The last word of a company's name, and its industry. */
export const TRADES = Object.entries(TRADES_OF)
  .flatMap(([industry, words]) => words.split(' ').map((word) => ({ word, industry })))
  .sort((one, other) => (one.word < other.word ? -1 : 1));

/**
 * Countries, each with the national top-level domain and the legal form at the end of a full name.
 * A country that appears more often has more companies.
 */
export const COUNTRIES = [
  { name: 'United States', tld: 'com', legalForm: 'Inc.' },
  { name: 'United States', tld: 'io', legalForm: 'Inc.' },
  { name: 'United States', tld: 'com', legalForm: 'Inc.' },
  { name: 'Canada', tld: 'ca', legalForm: 'Inc.' },
  { name: 'United Kingdom', tld: 'co.uk', legalForm: 'Ltd' },
  { name: 'Germany', tld: 'de', legalForm: 'GmbH' },
  { name: 'France', tld: 'fr', legalForm: 'SAS' },
  { name: 'Netherlands', tld: 'nl', legalForm: 'B.V.' },
  { name: 'Sweden', tld: 'se', legalForm: 'AB' },
  { name: 'Spain', tld: 'es', legalForm: 'S.L.' },
  { name: 'Italy', tld: 'it', legalForm: 'S.p.A.' },
  { name: 'Poland', tld: 'pl', legalForm: 'sp. z o.o.' },
  { name: 'Australia', tld: 'com.au', legalForm: 'Pty Ltd' },
  { name: 'Japan', tld: 'co.jp', legalForm: 'K.K.' },
  { name: 'Brazil', tld: 'com.br', legalForm: 'Ltda.' },
  { name: 'India', tld: 'in', legalForm: 'Pvt. Ltd.' },
] as const;

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
