"""Colours of routes, the same in plots, notebooks and pages."""

SHADES = ((80, 38, 62), (62, 46, 70), (70, 32, 56))  # saturation; lightness on light and on dark


def hue(k: int) -> float:
    """Return the hue of a route; steps of the golden ratio keep neighbours apart."""
    return (0.58 + k * 0.61803398875) % 1


def route_styles(count: int) -> str:
    """Return CSS with the colour of each route; three shades help where hues are close."""
    return "".join(
        f'[data-route="{k + 1}"]{{--h:{360 * hue(k):.0f};--s:{s}%;--light:{light}%;--dark:{dark}%}}'
        for k in range(count)
        for s, light, dark in (SHADES[k % len(SHADES)],)
    )
