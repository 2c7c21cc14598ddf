"""Words in spreadsheets other than titles of columns, in the same seven languages."""

from __future__ import annotations

from splitroute.formats._columns import simplified


def _simplified(words: str) -> list[str]:
    return [simplified(word) for word in words.split(",")]


_SETTINGS = {
    "name": "name, nom, nombre, nome, naam",
    "capacity": "capacity, vehicle capacity, kapazität, kapazitaet, fahrzeugkapazität, capacité, "
    "capacité du véhicule, capacidad, capacidad del vehículo, capacità, capacità veicolo, "
    "capaciteit, capacidade, capacidade do veículo",
    "vehicles": "vehicles, number of vehicles, fahrzeuge, anzahl fahrzeuge, véhicules, "
    "nombre de véhicules, vehículos, número de vehículos, veicoli, numero veicoli, voertuigen, "
    "aantal voertuigen, veículos, número de veículos",
    "speed": "speed, geschwindigkeit, vitesse, velocidad, velocità, snelheid, velocidade",
    "unit": "unit",
    "metric": "metric",
    "clock": "clock",
    "partial": "partial",
}
SETTING_NAMES = {word: key for key, words in _SETTINGS.items() for word in _simplified(words)}

_SHEETS = {
    "customers": "customers, customer, clients, orders, deliveries, kunden, aufträge, lieferungen, "
    "bestellungen, filialen, commandes, livraisons, clientes, pedidos, entregas, clienti, ordini, "
    "consegne, klanten, orders, bestellingen, leveringen, encomendas",
    "vehicles": "vehicles, fleet, vehicle types, trucks, fahrzeuge, fuhrpark, flotte, "
    "fahrzeugtypen, véhicules, vehículos, flota, veicoli, flotta, voertuigen, wagenpark, vloot, "
    "veículos, frota",
    "depots": "depots, depot, warehouses, lager, standorte, dépôts, entrepôts, depósitos, "
    "almacenes, depositi, magazzini, magazijnen, armazéns",
    "stops": "stops",
}
SHEET_KINDS = {word: kind for kind, words in _SHEETS.items() for word in _simplified(words)}

YES = "yes, y, true, 1, x, ja, j, wahr, oui, o, vrai, sí, s, verdadero, sì, vero, waar, sim, "
YES += "verdadeiro"
NO = "no, n, false, 0, nein, falsch, non, faux, falso, nee, onwaar, não"
FLAGS = {word: word in _simplified(YES) for word in (*_simplified(YES), *_simplified(NO))}

_TOTALS = frozenset(
    _simplified("total, totals, grand total, subtotal, sum, summe, gesamt, gesamtsumme, "
                "gesamtmenge, gesamtgewicht, zwischensumme, somme, total général, "
                "total generale, suma, total general, suma total, totale, totale generale, somma, "
                "totaal, eindtotaal, som, soma, total geral, totais, totales, totaux")
)  # fmt: skip
QUANTITY_UNITS = {"kg", "t", "to", "g", "lb", "lbs", "l", "hl", "m3", "m³"}  # that are no words
# Factors to minutes.
TIME_UNITS = {
    **dict.fromkeys(("min", "mins", "minutes", "minuten", "minutos", "minuti", "mn", "'"), 1.0),
    **dict.fromkeys(
        ("h", "hr", "hrs", "hours", "std", "stunden", "heures", "horas", "ore", "uur", "uren"), 60.0
    ),
    **dict.fromkeys(
        ("s", "sec", "sek", "seconds", "sekunden", "secondes", "segundos", "secondi", "seconden"),
        1 / 60,
    ),
}


def is_total(text: str) -> bool:
    """Whether a cell names a row that sums up the others: Total, Total kg, Summe (kg)."""
    words = text.rstrip(" :").split()
    if len(words) > 1 and words[-1].lower().rstrip(".") in QUANTITY_UNITS:
        words.pop()
    return simplified(" ".join(words)) in _TOTALS
