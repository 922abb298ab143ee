def shown(claims):
    return claims.label
