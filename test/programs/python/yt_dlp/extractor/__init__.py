def gen_extractor_classes():
    return []
