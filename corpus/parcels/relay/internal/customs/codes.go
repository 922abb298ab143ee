package customs

// Entry is one line of the table of goods.
type Entry struct {
	Title string
	Note  string
}

// Codes is the table of goods of the customs union, as it was printed.
var Codes = map[string]Entry{
	"0100": {
		Title: "Live animals",
		Note:  "Animals that travel with a keeper. The keeper must check food and water after every stop, and report an error of the thermometer to the depot.",
	},
	"0200": {
		Title: "Meat",
		Note:  "Fresh or frozen. The cold chain must not break: a parcel that waits too long in a depot is refused, and the sender is told why.",
	},
	"0400": {
		Title: "Dairy",
		Note:  "Milk, butter and cheese. Labels show the date on which the contents expire; an expired parcel is returned.",
	},
	"0600": {
		Title: "Plants",
		Note:  "Live plants and cut flowers. Watch for insects; a missing certificate makes the whole load wait at the border.",
	},
	"0800": {
		Title: "Fruit",
		Note:  "Fruit and nuts. The weight is rounded up to the next hundred grams, since moisture is lost on the way.",
	},
	"0900": {
		Title: "Coffee and tea",
		Note:  "Sealed bags. A broken seal is an error of the packer, and the price of the contents is refunded.",
	},
	"1000": {
		Title: "Cereals",
		Note:  "Loose or in sacks. The list of sacks must match the label, or the load is counted again by hand.",
	},
	"1100": {
		Title: "Flour",
		Note:  "Dust can explode. Do not open near a scanner; wrong handling panics the whole crew.",
	},
	"1500": {
		Title: "Fats and oils",
		Note:  "Liquid or solid. Leaks block the line and make scanners fail, so that parcels are read twice.",
	},
	"1700": {
		Title: "Sugar",
		Note:  "Sweets and sugar. No certificate is needed below two kilograms, and no timeout applies.",
	},
	"1800": {
		Title: "Cocoa",
		Note:  "Chocolate must be kept cool. A warm truck is the usual cause when a connection to the next depot is missed.",
	},
	"2200": {
		Title: "Drinks",
		Note:  "Bottles in frames of twelve. A frame with a broken bottle cannot be forwarded, and the depot keeps the others.",
	},
	"2400": {
		Title: "Tobacco",
		Note:  "A stamp must be valid. An invalid or empty stamp field is refused with an error message.",
	},
	"2700": {
		Title: "Fuel",
		Note:  "Never by air. The signature of two people is needed, and a retry after a refusal takes a new form.",
	},
	"2800": {
		Title: "Chemicals",
		Note:  "A data sheet has to come along. The sheet names the first response to a leak, and whom to notify.",
	},
	"3000": {
		Title: "Medicines",
		Note:  "Prescriptions are checked. The name of the patient must not be logged, nor shown on the label.",
	},
	"3200": {
		Title: "Paint",
		Note:  "Paint and ink. Colour codes follow the table of the maker; a missing colour is written as unknown.",
	},
	"3300": {
		Title: "Perfume",
		Note:  "Alcohol above a limit. The limit is decided by the country that the parcel goes to.",
	},
	"3500": {
		Title: "Glue",
		Note:  "Glue and starch. Frames that stick together crash the sorter when the queue is full.",
	},
	"3600": {
		Title: "Fireworks",
		Note:  "Only by road. A driver who loses one must stop, retry the search, and reconnect with the depot by phone.",
	},
	"3700": {
		Title: "Film",
		Note:  "Photographic goods. X-rays spoil them: do not decode the box in the scanner, read the label by eye.",
	},
	"3900": {
		Title: "Plastics",
		Note:  "Sheets and tubes. Long tubes do not fit the window of the sorter and are sorted by hand.",
	},
	"4000": {
		Title: "Rubber",
		Note:  "Tyres go without a box. The label is tied on; where it is missing, the size is read off the tyre.",
	},
	"4200": {
		Title: "Leather",
		Note:  "Bags and belts. Copies of brands are held back, and the owner of the brand is asked first.",
	},
	"4400": {
		Title: "Wood",
		Note:  "Untreated wood needs a stamp. Pallets count as wood and are often forgotten in the list.",
	},
	"4800": {
		Title: "Paper",
		Note:  "Books and letters. Printed lists of addresses are personal data and travel sealed.",
	},
	"4900": {
		Title: "Books",
		Note:  "Books, newspapers, music. Reduced rates; discounts are decided by weight and by language.",
	},
	"5000": {
		Title: "Silk",
		Note:  "Light and dear. Insure it: the default cover ends at five hundred, and a fix afterwards is not possible.",
	},
	"6100": {
		Title: "Clothes",
		Note:  "Shirts, trousers, socks. Returns are frequent, so that the label for the way back is added at once.",
	},
	"6400": {
		Title: "Shoes",
		Note:  "In pairs. A single shoe is a failure of packing and is reported as such.",
	},
	"7000": {
		Title: "Glass",
		Note:  "Glass and mirrors. Handle with care; breakage is the most frequent issue of all.",
	},
	"7100": {
		Title: "Jewels",
		Note:  "Value above a limit goes with a guard. The guard signs at every depot, and a missing signature stops the load.",
	},
	"7300": {
		Title: "Iron",
		Note:  "Screws, chains, tools. Heavy parcels are split, and each part gets a number of its own.",
	},
	"8200": {
		Title: "Tools",
		Note:  "Hand tools. Batteries inside are declared on a line of their own.",
	},
	"8400": {
		Title: "Machines",
		Note:  "Engines and computers. Drain the oil, remove the memory, and keep the manual in the box.",
	},
	"8500": {
		Title: "Electronics",
		Note:  "Phones, batteries, cables. Lithium batteries are limited by number; a spare counts twice.",
	},
	"8700": {
		Title: "Vehicles",
		Note:  "Bicycles and parts. Pedals come off, and the bar is turned.",
	},
	"8800": {
		Title: "Aircraft",
		Note:  "Drones and parts. The serial number is written on the form and on the box.",
	},
	"9000": {
		Title: "Instruments",
		Note:  "Lenses, scales, clocks. Scales are calibrated anew after the journey, since shocks detune them.",
	},
	"9200": {
		Title: "Music",
		Note:  "Musical instruments. Strings are loosened, and the case is locked with the key inside the form.",
	},
	"9400": {
		Title: "Furniture",
		Note:  "Chairs and lamps. Flat packs are cheaper; the sum of three sides decides.",
	},
	"9500": {
		Title: "Toys",
		Note:  "Toys and games. Small parts need a warning in the language of the country.",
	},
	"9700": {
		Title: "Art",
		Note:  "Paintings, stamps, antiques. An expert opinion is needed above an age of one hundred years.",
	},
	"9900": {
		Title: "Other",
		Note:  "Everything else. Describe it in your own words, as exactly as possible, and add an example.",
	},
}
