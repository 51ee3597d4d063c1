"""twins"""
