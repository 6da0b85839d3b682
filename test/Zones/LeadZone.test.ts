import { assert, describe, it } from "@effect/vitest"
import { parsePhoneNumberFromString } from "libphonenumber-js/min"
import { isZone, offsetAt } from "../../src/Services/Core/LocalTime.ts"
import { countryCodeOf } from "../../src/Services/Text/LeadLanguage.ts"
import { countryCodes } from "../../src/Services/Text/Places/CountryCodes.ts"
import brazilianAreaCodes from "../../src/Services/Zones/data/brazilianAreaCodes.json" with { type: "json" }
import countries from "../../src/Services/Zones/data/countries.json" with { type: "json" }
import northAmericanAreaCodes from "../../src/Services/Zones/data/northAmericanAreaCodes.json" with { type: "json" }
import phonePrefixes from "../../src/Services/Zones/data/phonePrefixes.json" with { type: "json" }
import regions from "../../src/Services/Zones/data/regions.json" with { type: "json" }
import { type LeadZoneFacts, leadZoneOf, windowInAllZones } from "../../src/Services/Zones/LeadZone.ts"
import { type PlaceZones, regionsNamed, zoneOfCountry, zonesOfDigits } from "../../src/Services/Zones/ZoneTables.ts"
import areaCodesOfStates from "./areaCodesOfStates.json" with { type: "json" }

const lead = { timeZone: null, state: null, phone: null, country: null }
const account = { timeZone: "America/Sao_Paulo", language: "pt-BR" }
const winter = Date.UTC(2026, 10, 24, 12)
const summer = Date.UTC(2026, 6, 15, 12)

describe("leadZoneOf", () => {
  it.each([
    ["a stored zone", { timeZone: "Europe/Lisbon", state: "AM" }, "Europe/Lisbon", true],
    ["a stored zone that does not exist", { timeZone: "Mars/Olympus" }, "America/Sao_Paulo", true],
    ["nothing", {}, "America/Sao_Paulo", true],
    ["a state of the account's country", { state: "am" }, "America/Manaus", true],
    ["a state's name with accents", { state: "Rondônia" }, "America/Porto_Velho", true],
    ["a state's name without accents", { state: "ESTADO DO AMAZONAS" }, "America/Manaus", true],
    ["Acre", { state: "Acre", country: "Brasil" }, "America/Rio_Branco", true],
    ["Fernando de Noronha", { state: "Fernando de Noronha", phone: "+5581999998888" }, "America/Noronha", true],
    ["an ISO code", { state: "BR-AC" }, "America/Rio_Branco", true],
    ["Alabama", { state: "AL", country: "US" }, "America/Chicago", true],
    ["California by code", { state: "CA", country: "USA" }, "America/Los_Angeles", true],
    ["California by name", { state: "California", country: "United States" }, "America/Los_Angeles", true],
    ["California in Portuguese", { state: "Califórnia", country: "EUA" }, "America/Los_Angeles", true],
    ["California alone", { state: "California" }, "America/Los_Angeles", true],
    ["Massachusetts", { state: "MA", country: "USA" }, "America/New_York", true],
    ["Massachusetts by its phone", { state: "MA", phone: "+16175550123" }, "America/New_York", true],
    ["California with a phone of San Diego", { state: "CA", phone: "+16195550123" }, "America/Los_Angeles", true],
    ["California with a phone of Boston", { state: "CA", phone: "+16175550123" }, "America/Los_Angeles", false],
    ["Boston by its phone", { phone: "+16175550123" }, "America/New_York", true],
    ["Toronto by its phone", { phone: "+14165550123" }, "America/Toronto", true],
    ["a country of several zones", { country: "Estados Unidos" }, "America/New_York", false],
    ["Florida's west by its phone", { state: "FL", phone: "+18505550123" }, "America/New_York", false],
    ["Florida", { state: "FL", country: "US" }, "America/New_York", true],
    ["Tennessee's east by its phone", { state: "TN", phone: "+18655550123" }, "America/New_York", true],
    ["El Paso", { state: "TX", phone: "+19155550123" }, "America/Denver", true],
    ["Spain", { country: "Spain" }, "Europe/Madrid", true],
    ["Espanha", { country: "Espanha" }, "Europe/Madrid", true],
    ["España", { country: "España", phone: "+34612345678" }, "Europe/Madrid", true],
    ["the Canary Islands", { country: "ES", state: "Las Palmas", phone: "+34612345678" }, "Atlantic/Canary", true],
    ["the Canary Islands by phone", { phone: "+34928123456" }, "Atlantic/Canary", true],
    ["the Azores", { country: "Portugal", state: "Açores" }, "Atlantic/Azores", true],
    ["the Azores by phone", { country: "PT", phone: "+351296123456" }, "Atlantic/Azores", true],
    ["a Portuguese mobile", { phone: "+351912345678" }, "Europe/Lisbon", true],
    ["Rondônia by its area code", { phone: "+5569912345678" }, "America/Porto_Velho", true],
    ["a Brazilian state against its area code", { state: "SP", phone: "+5592991234567" }, "America/Sao_Paulo", false],
    ["Argentina", { country: "AR" }, "America/Argentina/Buenos_Aires", true],
    ["Mexico City by its phone", { country: "MX", phone: "+525512345678" }, "America/Mexico_City", true],
    ["Tijuana by its phone", { phone: "+526641234567" }, "America/Tijuana", true],
    ["Quintana Roo", { country: "México", state: "Q. Roo", phone: "+529981234567" }, "America/Cancun", true],
    ["an Australian mobile", { phone: "+61412345678" }, "Australia/Sydney", false],
    ["Western Australia", { state: "WA", phone: "+61412345678" }, "Australia/Perth", true],
    ["Washington", { state: "WA", country: "US" }, "America/Los_Angeles", true],
    ["a country against its phone", { country: "Spain", phone: "+5511999998888" }, "America/Sao_Paulo", false],
    ["two countries on the same time", { country: "Ireland", phone: "+447911123456" }, "Europe/London", true],
    ["an unknown country", { country: "Atlantis" }, "America/Sao_Paulo", true]
  ])("%s", (_, facts, zone, isCertain) => {
    const place = leadZoneOf({ ...lead, ...facts }, account, winter)
    assert.deepEqual([place.zone, place.isCertain], [zone, isCertain])
  })

  it("compares offsets on the day in question: Arizona has no daylight saving time", () => {
    const facts = { ...lead, state: "New Mexico", phone: "+16025550123" }
    assert.isTrue(leadZoneOf(facts, account, winter).isCertain)
    assert.isFalse(leadZoneOf(facts, account, summer).isCertain)
    assert.isFalse(leadZoneOf(facts, account).isCertain)
  })

  it("reads a state without a country as one of the account's country", () => {
    const zoneFor = (state: string, timeZone: string) => leadZoneOf({ ...lead, state }, { timeZone }).zone
    assert.strictEqual(zoneFor("AL", "America/Sao_Paulo"), "America/Sao_Paulo")
    assert.strictEqual(zoneFor("AL", "America/New_York"), "America/Chicago")
    assert.strictEqual(zoneFor("WA", "Australia/Sydney"), "Australia/Perth")
    assert.strictEqual(zoneFor("BC", "America/Mexico_City"), "America/Tijuana")
    assert.strictEqual(zoneFor("BC", "America/Toronto"), "America/Vancouver")
    // Colombia has an Amazonas too.
    assert.strictEqual(zoneFor("Amazonas", "America/Bogota"), "America/Bogota")
  })
})

describe("windowInAllZones", () => {
  const window = { startHour: 8, endHour: 18 }
  const hoursOf = (facts: Partial<LeadZoneFacts>, at: number, of = account) => {
    const { endHour, startHour } = windowInAllZones(leadZoneOf({ ...lead, ...facts }, of, at), window, at)
    return [startHour, endHour]
  }

  it("is the window itself where the zone is certain", () => {
    assert.deepEqual(hoursOf({}, winter), [8, 18])
    assert.deepEqual(hoursOf({ state: "CA", country: "US" }, winter), [8, 18])
    assert.deepEqual(hoursOf({ phone: "+13235550123" }, summer), [8, 18])
  })

  it("opens for all zones that a lead may live in", () => {
    // Of New York's hours, and eight in Los Angeles.
    assert.deepEqual(hoursOf({ country: "US" }, winter), [11, 18])
    assert.deepEqual(hoursOf({ country: "US" }, summer), [11, 18])
    // The country and the phone disagree: hours of Lisbon, and of São Paulo three hours behind.
    assert.deepEqual(
      hoursOf({ country: "PT", phone: "+5511999998888" }, winter).map((hour) => hour >= 8 && hour <= 18),
      [true, true]
    )
  })

  it("is open in each zone that is possible, at each hour", () => {
    for (const facts of [
      { country: "US" },
      { country: "CA" },
      { country: "MX" },
      { country: "BR" },
      { country: "AU" }
    ]) {
      for (const at of [winter, summer]) {
        const place = leadZoneOf({ ...lead, ...facts }, account, at)
        const { endHour, startHour } = windowInAllZones(place, window, at)
        for (const other of place.possible) {
          const shift = (offsetAt(at, other) - offsetAt(at, place.zone)) / 3_600_000
          assert.isAtLeast(startHour + shift, 8, `${facts.country} ${other}`)
          assert.isAtMost(endHour + shift, 18, `${facts.country} ${other}`)
        }
      }
    }
  })
})

/** Whether the likely zone of an area code shows the time of a zone of the state, on each of two days. */
const areCompatible = ({ zone }: PlaceZones, state: string, country: string): boolean =>
  regionsNamed(state)
    .filter((region) => region.country === country)
    .some(({ zones }) =>
      [zones.zone, ...(zones.others ?? []), ...(zones.rare ?? [])].some((other) =>
        [winter, summer].every((at) => offsetAt(at, other) === offsetAt(at, zone))
      )
    )

/** Heard Island and Bouvet Island have neither people nor clocks. */
const uninhabited: ReadonlySet<string> = new Set(["HM", "BV"])

/** Toll-free, premium and personal numbers. */
const hasNoPlace = /^(?:5(?:00|2[1-9]|3[23]|44|66|77|88)|6(?:00|22|33)|8(?:00|33|44|55|66|77|88)|900)$/

describe("tables of zones", () => {
  const places = [
    ...regions,
    ...Object.values(countries),
    ...Object.values(northAmericanAreaCodes),
    ...Object.values(brazilianAreaCodes)
  ].flatMap((place: { zone: string; others?: Array<string>; rare?: Array<string> }) => [
    place.zone,
    ...(place.others ?? []),
    ...(place.rare ?? [])
  ])

  it("name zones that exist", () => {
    assert.deepEqual(
      [...places, ...Object.values(phonePrefixes)].filter((zone) => !isZone(zone)),
      []
    )
  })

  it("find every region by each code and name", () => {
    for (const { codes, country, names, zone } of regions) {
      for (const state of [...codes, ...names, ...names.map((name) => name.toUpperCase()), `${country}-${codes[0]}`]) {
        const place = leadZoneOf({ ...lead, state, country }, account)
        assert.strictEqual(place.zone, zone, `${country} ${state}`)
        assert.strictEqual(place.country, country)
      }
    }
  })

  it("have every state", () => {
    const counts = new Map<string, number>()
    for (const { country } of regions) counts.set(country, (counts.get(country) ?? 0) + 1)
    // With the District of Columbia and five territories, and with Fernando de Noronha.
    assert.deepInclude(Object.fromEntries(counts), { US: 56, CA: 13, MX: 32, AU: 8, BR: 28 })
  })

  it("find every country by its code, and by its name in three languages", () => {
    for (const code of countryCodes) {
      const zone = zoneOfCountry(code)
      if (uninhabited.has(code)) continue
      assert.isTrue(zone !== undefined && isZone(zone), code)
      for (const language of ["pt", "en", "es"]) {
        const name = new Intl.DisplayNames(language, { type: "region" }).of(code) ?? ""
        assert.strictEqual(countryCodeOf(name), code, `${language} ${name}`)
        assert.strictEqual(leadZoneOf({ ...lead, country: name }, account).zone, zone, name)
      }
    }
  })

  it("find every Brazilian area code, for landlines and mobiles", () => {
    assert.strictEqual(Object.keys(brazilianAreaCodes).length, 67)
    for (const [areaCode, { zone }] of Object.entries(brazilianAreaCodes)) {
      for (const phone of [`+55${areaCode}987654321`, `+55${areaCode}32345678`]) {
        const place = leadZoneOf({ ...lead, phone }, account, winter)
        assert.deepEqual([place.zone, place.isCertain, place.country], [zone, true, "BR"], phone)
      }
    }
  })

  it("agree for each area code with its state, by a list of area codes by state", () => {
    const missing: Array<string> = []
    const wrong: Array<string> = []
    for (const [country, states] of Object.entries(areaCodesOfStates)) {
      for (const [state, areaCodes] of Object.entries(states)) {
        const ofState = leadZoneOf({ ...lead, state, country }, account)
        for (const areaCode of areaCodes.split(" ")) {
          const digits = country === "BR" ? `55${areaCode}987654321` : `1${areaCode}2345678`
          const zones = zonesOfDigits(digits)
          if (zones === undefined) missing.push(areaCode)
          else if (!areCompatible(zones, state, country))
            wrong.push(`${country} ${state} ${areaCode} ${zones.zone} ${ofState.zone}`)
        }
      }
    }
    assert.deepEqual({ missing, wrong }, { missing: [], wrong: [] })
  })

  it("find every North American area code, and agree with the phone library on its country", () => {
    for (const [areaCode, { country, zone }] of Object.entries(northAmericanAreaCodes)) {
      const phone = `+1${areaCode}2345678`
      const place = leadZoneOf({ ...lead, phone }, account, winter)
      assert.deepEqual([place.zone, place.country], [zone, country], phone)
      const ofLibrary = parsePhoneNumberFromString(phone)?.country
      if (ofLibrary !== undefined) assert.strictEqual(ofLibrary, country, phone)
    }
  })

  it("know every geographic area code that the phone library knows", () => {
    const unlisted: Array<number> = []
    for (let areaCode = 201; areaCode < 990; areaCode++) {
      const isKnown = parsePhoneNumberFromString(`+1${areaCode}2345678`)?.country !== undefined
      if (isKnown && !hasNoPlace.test(`${areaCode}`) && !(`${areaCode}` in northAmericanAreaCodes))
        unlisted.push(areaCode)
    }
    assert.deepEqual(unlisted, [])
  })
})
